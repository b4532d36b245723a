import { useRouter } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent } from 'react';
import { LinkButton } from '../kit/button.tsx';

/** A link to a page of the interface by its path, for pages that have no typed route. */
export function AppLinkButton({
  href,
  ...props
}: ComponentProps<typeof LinkButton> & { href: string }) {
  const router = useRouter();
  const open = (event: MouseEvent): void => {
    const isNewTab = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;
    if (!isNewTab) {
      event.preventDefault();
      router.history.push(href);
    }
  };
  return <LinkButton {...props} href={href} onClick={open} />;
}
