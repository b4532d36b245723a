import { Bookmark, Play, Radio } from 'lucide-react';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Listbox } from '../../../kit/listbox.tsx';
import { ShareMenu } from '../../../kit/share-menu.tsx';
import { RangeSteps, TimeRangePicker } from '../../../kit/time-range-picker.tsx';
import { fromSpan, shifted } from '../../../view/time-range.ts';
import type { SearchModel } from '../model.ts';
import { QueryInput } from './query-input.tsx';
import { useDraft } from './use-draft.ts';
import { SavedSearches } from './saved-searches.tsx';
import styles from './toolbar.module.css';

interface ToolbarProps {
  model: SearchModel;
  /** The API's message about the query text. */
  queryError: string | undefined;
  isTimeOpen: boolean;
  onTimeOpen(open: boolean): void;
}

export function Toolbar({ model, queryError, isTimeOpen, onTimeOpen }: ToolbarProps) {
  const { params, sources, source } = model;
  const draft = useDraft(model);
  const isLive = params.live === true;
  const chooseSource = (id: string): void =>
    model.ask({
      source: id,
      cols: undefined,
      order: undefined,
      group: undefined,
      savedSearchId: undefined,
    });
  return (
    <div className={styles.toolbar}>
      <div className={styles.source}>
        <Listbox
          label="Source"
          value={source?.id}
          choices={sources.map(({ id, name, kind }) => ({
            value: id,
            label: name,
            hint: kind === 'log' ? 'logs' : 'spans',
          }))}
          onChange={chooseSource}
        />
        <SavedSearches model={model} icon={<Bookmark size={14} aria-hidden />} />
      </div>
      <QueryInput model={model} draft={draft} error={queryError} />
      <div className={styles.time}>
        <TimeRangePicker
          range={model.range}
          open={isTimeOpen}
          onOpenChange={onTimeOpen}
          onChange={model.setRange}
        />
        <RangeSteps onStep={(step) => model.setRange(fromSpan(shifted(model.span, step)))} />
        <Button
          aria-pressed={isLive}
          aria-keyshortcuts="l"
          icon={<Radio size={14} aria-hidden />}
          onClick={() => model.show({ live: isLive ? undefined : true, row: undefined })}
        >
          Live
        </Button>
        <ShareMenu
          range={model.range}
          span={model.span}
          onLink={(link, isFixed) => {
            if (model.source) {
              link.set('source', model.source.id);
            }
            if (isFixed) {
              link.delete('live');
            }
          }}
        />
        <IconButton look="primary" label="Run" shortcut="r" onClick={draft.run}>
          <Play size={14} aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}
