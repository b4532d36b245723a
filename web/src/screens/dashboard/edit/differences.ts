import type { Tile } from '../../../api/queries/dashboards.ts';
import type { DraftDashboard } from './use-draft.ts';

/** What differs between two states of a dashboard, a line each. */
export function differences(before: DraftDashboard, after: DraftDashboard): string[] {
  const lines: string[] = [];
  if (before.name !== after.name) {
    lines.push(`Name: ${after.name}`);
  }
  if (!isSame(before.tags, after.tags)) {
    lines.push(`Tags: ${after.tags.join(', ') || 'none'}`);
  }
  if (!isSame(before.filters, after.filters)) {
    lines.push(`Filters: ${after.filters.map(({ name }) => name).join(', ') || 'none'}`);
  }
  if (before.savedQuery !== after.savedQuery) {
    lines.push(`Condition: ${after.savedQuery || 'none'}`);
  }
  const known = new Map(before.tiles.map((tile) => [tile.id, tile]));
  for (const tile of after.tiles) {
    const line = tileDifference(known.get(tile.id), tile);
    if (line !== undefined) {
      lines.push(line);
    }
  }
  const kept = new Set(after.tiles.map(({ id }) => id));
  const gone = before.tiles.filter(({ id }) => !kept.has(id));
  lines.push(...gone.map((tile) => `Tile removed: ${nameOf(tile)}`));
  return lines.length === 0 ? ['Nothing.'] : lines;
}

function tileDifference(before: Tile | undefined, after: Tile): string | undefined {
  if (!before) {
    return `Tile added: ${nameOf(after)}`;
  }
  const isChanged =
    before.name !== after.name ||
    before.repeatBy !== after.repeatBy ||
    !isSame(before.config, after.config);
  if (isChanged) {
    return `Tile changed: ${nameOf(after)}`;
  }
  const isPlaced = (['x', 'y', 'w', 'h'] as const).every((part) => before[part] === after[part]);
  return isPlaced ? undefined : `Tile moved: ${nameOf(after)}`;
}

const nameOf = ({ name }: Tile): string => (name === '' ? 'Untitled' : name);
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
