import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { sessionQuery } from '../api/queries/session.ts';
import { CommandList, type Command } from '../kit/command-list.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { rootCommands, zoneCommands } from './palette-commands.tsx';

type Page = 'closed' | 'commands' | 'zones';

interface PaletteProps {
  page: Page;
  onPage(page: Page): void;
  onHelp(): void;
}

/** Everything by typing a few letters of it. */
export function Palette({ page, onPage, onHelp }: PaletteProps) {
  return (
    <Dialog
      title={page === 'zones' ? 'Time zone' : 'Commands'}
      look="top"
      open={page !== 'closed'}
      onOpenChange={(open) => onPage(open ? 'commands' : 'closed')}
    >
      <Commands key={page} isZones={page === 'zones'} onPage={onPage} onHelp={onHelp} />
    </Dialog>
  );
}

interface CommandsProps extends Omit<PaletteProps, 'page'> {
  isZones: boolean;
}

function Commands({ isZones, onPage, onHelp }: CommandsProps) {
  const router = useRouter();
  const { data: session } = useQuery(sessionQuery);
  const closing = (command: Command): Command => ({
    ...command,
    run: () => {
      onPage('closed');
      command.run();
    },
  });
  const root = (): Command[] =>
    rootCommands(
      {
        go: (to, search = {}) => void router.navigate({ to, search }),
        open: (href) => router.history.push(href),
        zones: () => onPage('zones'),
        help: onHelp,
      },
      session?.scopes ?? [],
    );
  return (
    <CommandList
      label={isZones ? 'Time zone' : 'Commands'}
      commands={(isZones ? zoneCommands() : root()).map(closing)}
      startAtCurrent={isZones}
      placeholder={isZones ? 'Find a time zone' : 'Go to a screen, create, or change a setting'}
    />
  );
}
