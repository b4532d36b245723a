import { settings } from '../src/app/config/settings.ts';

/** docs/config.md from the table of settings. */
export function configPage(): string {
  const rows = Object.entries(settings).map(([name, value]) => ({
    name,
    ...(value as { group: string; meaning: string; fallback?: string; secret?: boolean }),
  }));
  const groups = [...new Set(rows.map((row) => row.group))];
  const sections = groups.map((group) =>
    [
      `## ${group}`,
      '',
      '| Variable | Default | Meaning |',
      '|---|---|---|',
      ...rows
        .filter((row) => row.group === group)
        .map(
          (row) =>
            `| \`${row.name}\` | ${fallbackText(row.fallback)} | ` +
            `${row.meaning}${row.secret ? ' Secret: never printed.' : ''} |`,
        ),
    ].join('\n'),
  );
  return [
    '# Configuration',
    '',
    'Generated from `src/app/config/settings.ts` by `npm run generate`.',
    '',
    [
      'Settings are environment variables, or lines of the file named by `SIGHTLINE_CONFIG_FILE`.',
      'The server checks them at start.',
      'If any is invalid, it prints every error and exits with code 2.',
      '`sightline doctor` checks them without starting the server.',
    ].join(' '),
    '',
    ...sections.flatMap((section) => [section, '']),
  ].join('\n');
}

function fallbackText(fallback: string | undefined): string {
  if (fallback === undefined) {
    return 'unset';
  }
  return fallback === '' ? 'none' : `\`${fallback}\``;
}
