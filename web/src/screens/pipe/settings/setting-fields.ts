import type { Pipe, PipeChange, PipeScaling, PipeSettings } from '../../../api/queries/pipes.ts';
import { kindOf } from '../../../pipes/kinds.ts';
import { scalingWords, settingWords } from '../../../pipes/setting-words.ts';
import { changesOf, draftOf, type EditField, type EditForm } from '../edit/edit-form.ts';

type SettingName = keyof PipeSettings;

const switchHints: Partial<Record<SettingName, string>> = {
  object_storage_use_cluster_function: 'Only if the engine is a cluster.',
  engine_parallel_view_processing: 'Of the table that the pipe fills.',
};

/** The settings that this kind of pipe reads, and those that somebody set. */
export function settingNames(pipe: Pipe): SettingName[] {
  const kind = kindOf(pipe);
  const group = { objectStorage: 'object_', kafka: 'streaming_', cloudstream: 'streaming_' };
  const own = kind === 'postgres' ? 'engine_' : group[kind];
  return (Object.keys(settingWords) as SettingName[]).filter(
    (name) =>
      name.startsWith(own) || name.startsWith('engine_') || pipe.settings[name] !== undefined,
  );
}

export function settingsForm(pipe: Pipe, effective: PipeSettings): EditForm {
  const fields = settingNames(pipe).map((name): EditField => {
    const isSwitch = typeof effective[name] === 'boolean';
    return {
      name,
      label: settingWords[name],
      hint: switchHints[name] ?? 'Leave it empty for the default.',
      look: isSwitch ? 'switch' : 'number',
      path: `settings.${name}`,
      read: ({ settings }) => {
        const chosen = settings[name];
        return isSwitch ? String(chosen ?? effective[name]) : String(chosen ?? '');
      },
      isSetting: true,
    };
  });
  const from = draftOf(fields, pipe);
  return {
    title: 'Change advanced settings',
    about: 'The pipe goes on from its position.',
    action: 'Save settings',
    fields,
    target: 'pipe',
    bodyOf: (draft): PipeChange => changesOf(fields, from, draft),
    done: 'The settings are saved. The readers of the pipe start over with them.',
  };
}

export const scalingNames = Object.keys(scalingWords) as (keyof typeof scalingWords)[];
export const scalingLabel = (name: (typeof scalingNames)[number]): string => scalingWords[name][0];

export function scalingForm(pipe: Pipe): EditForm {
  const fields = scalingNames.map((name): EditField => ({
    name,
    label: scalingWords[name][0],
    hint: scalingWords[name][1],
    look: 'number',
    path: name,
    read: ({ scaling }) => String(scaling[name]),
  }));
  const from = draftOf(fields, pipe);
  return {
    title: 'Change the scaling',
    about: 'The readers of the pipe start over. The pipe keeps its position.',
    action: 'Save scaling',
    fields,
    target: 'scaling',
    bodyOf: (draft): PipeScaling => changesOf(fields, from, draft),
    done: 'The scaling is saved. The readers of the pipe start over with it.',
  };
}

export function nameForm(pipe: Pipe): EditForm {
  const fields: EditField[] = [
    { name: 'name', label: 'Name', look: 'text', path: 'name', read: ({ name }) => name },
  ];
  const from = draftOf(fields, pipe);
  return {
    title: 'Rename the pipe',
    action: 'Save name',
    fields,
    target: 'pipe',
    bodyOf: (draft): PipeChange => changesOf(fields, from, draft),
    done: 'The name is saved.',
  };
}
