import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './kit/tokens.css';
import './kit/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api/query-client.ts';
import { TooltipProvider } from './kit/tooltip.tsx';
import { router } from './router.tsx';
import { followSequences } from './view/keys.ts';
import { followTheme } from './view/theme.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
if (nonce !== undefined) {
  // The scroll lock of dialogs adds a style element.
  setNonce(nonce);
}
// Schemas of forms must not build code from text, which the policy forbids: zod reads this before its
// first schema.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
followTheme();
followSequences();

const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <TooltipProvider delayDuration={400} skipDelayDuration={200}>
          <RouterProvider router={router} />
        </TooltipProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
