import { z } from 'zod';
import { cloudstreamContract } from './cloudstream.ts';
import { kafkaContract, kafkaExample } from './kafka.ts';
import { objectStorageContract } from './object-storage.ts';
import { postgresContract } from './postgres.ts';
import type { SourceContract, SourceContracts, SourceSettings } from './source-contract.ts';

/** The kinds of sources: the first of the registries that name them all. */
export const sourceContracts = {
  kafka: kafkaContract,
  objectStorage: objectStorageContract,
  cloudstream: cloudstreamContract,
  postgres: postgresContract,
} as const satisfies Record<string, SourceContract>;

export type SourceKindName = keyof typeof sourceContracts;

/** All settings of a source of this kind, secrets included. Its connector is created from them. */
export type SettingsOf<Kind extends string> = Kind extends SourceKindName
  ? z.output<(typeof sourceContracts)[Kind]['input']>
  : SourceSettings;

/** The source in the examples of the reference. */
export const exampleSource = {
  input: { kafka: kafkaExample.input },
  record: { kafka: kafkaExample.record },
};

const ValidateSamples = z
  .boolean()
  .optional()
  .meta({
    description:
      'If true, the server connects, reads up to 10 records and checks that they map to the ' +
      'columns and convert to their types before it stores the pipe. Default false.',
    writeOnly: true,
  });

/** The `source` of a pipe in creates, updates and responses: exactly one of the kinds. */
export function sourceSchemas(contracts: SourceContracts) {
  const PipeSourceInput = z
    .object({
      ...optionalOfEach(contracts, ({ input }) => input),
      validateSamples: ValidateSamples,
    })
    .superRefine((source, context) => {
      const message = countMistake(contracts, source);
      if (message !== undefined) {
        context.addIssue({ code: 'custom', message });
      }
    })
    .meta({ id: 'PipeSourceInput' });
  const PipeSourceDraft = z
    .object(optionalOfEach(contracts, ({ draft }) => draft))
    .superRefine((source, context) => {
      const message = countMistake(contracts, source);
      if (message !== undefined) {
        context.addIssue({ code: 'custom', message });
      }
    })
    .meta({ id: 'PipeSourceDraft' });
  const PipeSourceProposal = z
    .object(optionalOfEach(contracts, ({ record }): z.ZodType<SourceSettings> => record.partial()))
    .meta({ id: 'PipeSourceProposal' });
  const PipeSource = z
    .object(optionalOfEach(contracts, ({ record }): z.ZodType<SourceSettings> => record))
    .meta({ id: 'PipeSource' });
  const PipeSourceUpdate = z
    .object({
      ...optionalOfEach(contracts, ({ update }) => update),
      validateSamples: ValidateSamples,
    })
    .meta({ id: 'PipeSourceUpdate' });
  return { PipeSourceInput, PipeSourceDraft, PipeSourceProposal, PipeSource, PipeSourceUpdate };
}

function optionalOfEach(
  contracts: SourceContracts,
  schemaOf: (contract: SourceContract) => z.ZodType<SourceSettings>,
): Record<string, z.ZodOptional<z.ZodType<SourceSettings>>> {
  return Object.fromEntries(
    Object.entries(contracts).map(([kind, contract]) => [kind, schemaOf(contract).optional()]),
  );
}

function countMistake(contracts: SourceContracts, source: SourceSettings): string | undefined {
  const given = kindsIn(contracts, source);
  if (given.length === 1) {
    return undefined;
  }
  const kinds = Object.keys(contracts).join(', ');
  return given.length === 0
    ? `must have exactly one of ${kinds}`
    : `must have exactly one of ${kinds}; it has ${given.join(' and ')}`;
}

/** The kinds that a `source` has settings for. */
export function kindsIn(
  kinds: Readonly<Record<string, unknown>>,
  source: SourceSettings,
): string[] {
  return Object.keys(kinds).filter((kind) => source[kind] !== undefined);
}
