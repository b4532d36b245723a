import { useBlocker, useMatch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface LeaveDialogProps {
  /** Whether there is something to lose. */
  isChanged: boolean;
  /** Forgets the changes; absent: they go with the page. */
  onDiscard?: () => void;
  /** Whether the browser keeps the changes if the person leaves. */
  isKept?: boolean;
  /** Whether the changes go with any change of the address, not only with another page. */
  isDialog?: boolean;
  /** What is lost, or kept. */
  children: ReactNode;
}

/** Asks before another page takes the place of changes that are not saved. */
export function LeaveDialog({
  isChanged,
  onDiscard,
  isKept = false,
  isDialog = false,
  children,
}: LeaveDialogProps) {
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  const blocker = useBlocker({
    // A person who left may go back before the next page has loaded. Nobody could answer then.
    shouldBlockFn: ({ current, next }) =>
      isChanged && current.pathname === path && (isDialog || next.pathname !== path),
    enableBeforeUnload: () => isChanged && !isKept,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') {
    return null;
  }
  const discard = (): void => {
    onDiscard?.();
    blocker.proceed();
  };
  return (
    <LeaveQuestion
      onStay={blocker.reset}
      onDiscard={discard}
      onKeep={isKept ? blocker.proceed : undefined}
    >
      {children}
    </LeaveQuestion>
  );
}

interface LeaveQuestionProps {
  onStay(): void;
  onDiscard(): void;
  /** Leaves with the changes; absent: they would be lost. */
  onKeep?: (() => void) | undefined;
  children: ReactNode;
}

/** What happens to changes that are not saved. */
function LeaveQuestion({ onStay, onDiscard, onKeep, children }: LeaveQuestionProps) {
  return (
    <Dialog
      title="Leave without saving?"
      open
      onOpenChange={onStay}
      actions={
        <>
          <Button onClick={onStay} autoFocus>
            Stay
          </Button>
          <Button look="danger" onClick={onDiscard}>
            Discard and leave
          </Button>
          {onKeep && (
            <Button look="primary" onClick={onKeep}>
              Keep the draft and leave
            </Button>
          )}
        </>
      }
    >
      {children}
    </Dialog>
  );
}

interface Leaving {
  /** Closes, or asks first. */
  close(): void;
  /** To render beside the dialog, not in it. */
  question: ReactNode;
}

/** For a form in a dialog: if there is something to lose, it asks before it closes or the page goes. */
export function useLeaveQuestion(isChanged: boolean, onClose: () => void): Leaving {
  const [isAsking, setAsking] = useState(false);
  const lost = <p>What you have typed is not saved.</p>;
  return {
    close: () => (isChanged ? setAsking(true) : onClose()),
    question: (
      <>
        <LeaveDialog isChanged={isChanged} isDialog>
          {lost}
        </LeaveDialog>
        {isAsking && (
          <LeaveQuestion onStay={() => setAsking(false)} onDiscard={onClose}>
            {lost}
          </LeaveQuestion>
        )}
      </>
    ),
  };
}
