import type { PipeProposal } from '../../../api/queries/new-pipe.ts';
import { proposedRows } from './columns.ts';
import type { PipeDraft } from './draft.ts';
import { textOf } from './fields.ts';

/** The columns for an item, and its table unless the person has named one. */
export function withProposal(
  { texts, proposedTable }: PipeDraft,
  item: string,
  proposal: PipeProposal,
): Partial<PipeDraft> {
  const table = proposal.destination?.table ?? '';
  const isOwn = !['', proposedTable].includes(textOf(texts, 'table'));
  return {
    columns: proposedRows(proposal),
    columnsOf: item,
    isEdited: false,
    proposedTable: table,
    ...(!isOwn && { texts: { ...texts, table } }),
  };
}
