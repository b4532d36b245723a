import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { toast } from '../kit/toast.tsx';
import { useKeys, type KeyMap } from '../view/keys.ts';
import { droppedParams, parseSearch } from '../view/url-state.ts';
import { useLazy } from '../view/use-lazy.ts';
import { Palette } from './palette.tsx';
import { Rail } from './rail.tsx';
import { screens } from './screens.ts';
import styles from './shell.module.css';

/** Parameters of the address that the page was opened with, before the router read them. */
const openedWith = window.location.search;

const loadHelp = () => import('./help.tsx');

/** What stands around every screen: rail, palette and help. */
export function Shell() {
  const router = useRouter();
  const [palette, setPalette] = useState<'closed' | 'commands' | 'zones'>('closed');
  const [isHelpOpen, setHelpOpen] = useState(false);
  const help = useLazy(loadHelp);

  useEffect(() => {
    const dropped = droppedParams(
      parseSearch(openedWith),
      router.state.matches.at(-1)?.search ?? {},
    );
    if (dropped.length > 0) {
      toast(`Left out, because the link has no valid value: ${dropped.join(', ')}.`);
    }
  }, [router]);

  const keys: KeyMap = {
    'mod+k': () => setPalette((now) => (now === 'closed' ? 'commands' : 'closed')),
    '?': () => setHelpOpen(true),
  };
  for (const { to, letter } of screens) {
    keys[`g ${letter}`] = () => void router.navigate({ to });
  }
  useKeys(keys);

  return (
    <div className={styles.shell}>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      <Rail onPalette={() => setPalette('commands')} onHelp={() => setHelpOpen(true)} />
      <main id="main" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Palette page={palette} onPage={setPalette} onHelp={() => setHelpOpen(true)} />
      {help && <help.Help open={isHelpOpen} onOpenChange={setHelpOpen} />}
    </div>
  );
}
