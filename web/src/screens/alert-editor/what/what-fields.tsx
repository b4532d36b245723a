import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Choices } from '../../../kit/choices.tsx';
import { ControlField } from '../../../kit/field.tsx';
import { Listbox } from '../../../kit/listbox.tsx';
import type { EditorModel } from '../model/use-editor.ts';
import { tilesToWatch, titleOf } from '../model/watched.ts';
import { NewSearch } from './new-search.tsx';
import { SearchSummary } from './search-summary.tsx';
import { TileSummary } from './tile-summary.tsx';
import styles from '../alert-editor.module.css';

/** The object that the alert evaluates: a saved search, stored or new, or a tile. */
export function WhatFields({ model }: { model: EditorModel }) {
  const { draft, change } = model;
  return (
    <section className={styles.section} aria-label="What to evaluate">
      <h2>What to evaluate</h2>
      <Choices
        label="Kind"
        hint={
          draft.source === 'search'
            ? 'The alert counts the rows that a saved search finds in a window.'
            : 'The alert evaluates the value of a tile in a window.'
        }
        value={draft.source}
        choices={[
          { value: 'search', label: 'Saved search' },
          { value: 'tile', label: 'Dashboard tile' },
        ]}
        onChange={(source) => change({ source })}
      />
      {draft.source === 'search' ? <SearchChoice model={model} /> : <TileChoice model={model} />}
    </section>
  );
}

const newSearch = 'new';

function SearchChoice({ model }: { model: EditorModel }) {
  const { draft, change, form, lists, watched } = model;
  const { searches } = lists;
  const [isNew, setNew] = useState(searches.length === 0 && draft.savedSearchId === undefined);
  const error = form.issueAt('savedSearchId');
  return (
    <>
      <ControlField label="Saved search" error={error}>
        <Listbox
          label="Saved search"
          placeholder="Choose a saved search"
          value={isNew ? newSearch : draft.savedSearchId}
          choices={[
            { value: newSearch, label: 'New search…' },
            ...searches.map(({ id, name, where }) => ({
              value: id,
              label: name,
              hint: where.slice(0, 32),
            })),
          ]}
          onChange={(id) => {
            setNew(id === newSearch);
            if (id !== newSearch) {
              change({ savedSearchId: id });
            }
          }}
        />
      </ControlField>
      {isNew ? (
        <NewSearch
          sources={lists.sources}
          onSaved={(id) => {
            change({ savedSearchId: id });
            setNew(false);
          }}
        />
      ) : (
        watched.search && <SearchSummary search={watched.search} sources={lists.sources} />
      )}
      {!isNew && draft.savedSearchId !== undefined && watched.search === undefined && (
        <p className={styles.note}>
          This saved search does not exist any more. Choose another one.
        </p>
      )}
    </>
  );
}

function TileChoice({ model }: { model: EditorModel }) {
  const { draft, change, form, lists, watched } = model;
  const tiles = watched.dashboard ? tilesToWatch(watched.dashboard) : [];
  if (lists.dashboards.length === 0) {
    return (
      <p className={styles.note}>
        There is no dashboard yet. <Link to="/dashboards">Create one</Link>, or use a saved search.
      </p>
    );
  }
  return (
    <>
      <div className={styles.pair}>
        <ControlField label="Dashboard" error={form.issueAt('dashboardId')}>
          <Listbox
            label="Dashboard"
            placeholder="Choose a dashboard"
            value={draft.dashboardId}
            choices={lists.dashboards.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(dashboardId) => change({ dashboardId, tileId: undefined })}
          />
        </ControlField>
        {watched.dashboard && (
          <ControlField label="Tile" error={form.issueAt('tileId')}>
            <Listbox
              label="Tile"
              placeholder="Choose a tile"
              value={draft.tileId}
              choices={tiles.map((tile) => ({ value: tile.id, label: titleOf(tile) }))}
              onChange={(tileId) => change({ tileId })}
            />
          </ControlField>
        )}
      </div>
      {watched.dashboard && watched.tile && (
        <TileSummary dashboard={watched.dashboard} tile={watched.tile} />
      )}
      {watched.dashboard && tiles.length === 0 && (
        <p className={styles.note}>This dashboard has no tile with a value.</p>
      )}
    </>
  );
}
