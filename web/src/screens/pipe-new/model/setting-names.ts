import type { PipeSettings } from '../../../api/queries/pipes.ts';
import type { PipeKind } from '../../../pipes/kinds.ts';
import { scalingWords, settingWords } from '../../../pipes/setting-words.ts';

export const scalingNames = Object.keys(scalingWords) as (keyof typeof scalingWords)[];

const groups: Record<PipeKind, string> = {
  objectStorage: 'object_',
  kafka: 'streaming_',
  cloudstream: 'streaming_',
  postgres: 'engine_',
};

/** The advanced settings that a pipe of this kind reads. */
export const settingNames = (kind: PipeKind): (keyof PipeSettings)[] =>
  (Object.keys(settingWords) as (keyof PipeSettings)[]).filter(
    (name) => name.startsWith(groups[kind]) || name.startsWith('engine_'),
  );
