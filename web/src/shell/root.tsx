import { Outlet } from '@tanstack/react-router';
import { Toasts } from '../kit/toast.tsx';
import { SessionDialog } from './session-dialog.tsx';

export function Root() {
  return (
    <>
      <Outlet />
      <SessionDialog />
      <Toasts />
    </>
  );
}
