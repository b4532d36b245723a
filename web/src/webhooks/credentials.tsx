import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../kit/button.tsx';
import { BareInput, ControlField, Field } from '../kit/field.tsx';
import { Notice } from '../kit/notice.tsx';
import type { Pair } from './draft.ts';
import { services } from './services.ts';
import type { WebhookFormModel } from './use-webhook-form.ts';
import styles from './webhooks.module.css';

/** The secrets of a webhook: set, replaced or removed, and never shown. */
export function Credentials({ model }: { model: WebhookFormModel }) {
  const { draft, stored, change, form } = model;
  const texts = services[draft.service];
  // A new address drops the stored secrets: otherwise it could receive them.
  const isMoved = stored !== undefined && stored.url !== draft.url.trim();
  const kept = isMoved ? undefined : stored;
  const hasAny =
    stored?.hasSecret === true || Boolean(stored?.headerNames ?? stored?.queryParamNames);
  return (
    <fieldset className={styles.credentials}>
      <legend>Credentials</legend>
      <p className={styles.hint}>Stored encrypted. Nobody can read them again.</p>
      {isMoved && hasAny && (
        <Notice look="warning">
          The URL is another one, so the stored credentials are dropped. Enter those that the new
          URL needs.
        </Notice>
      )}
      <Secret
        label={texts.secret}
        stored={kept?.hasSecret === true ? 'Set' : undefined}
        state={draft.secret}
        begin=""
        onChange={(secret) => change({ secret })}
      >
        <Field
          label={texts.secret}
          name="secret"
          type="password"
          autoComplete="new-password"
          hint={texts.secretHint}
          value={draft.secret ?? ''}
          error={form.issueAt('secret')}
          onChange={({ target }) => change({ secret: target.value })}
        />
      </Secret>
      <Secret
        label="Headers"
        stored={kept?.headerNames?.join(', ')}
        state={draft.headers}
        begin={onePair}
        onChange={(headers) => change({ headers })}
      >
        <Pairs
          label="Headers"
          what="header"
          hint={texts.headersHint}
          error={form.issueAt('headers')}
          pairs={draft.headers ?? []}
          onChange={(headers) => change({ headers })}
        />
      </Secret>
      <Secret
        label="Query parameters"
        stored={kept?.queryParamNames?.join(', ')}
        state={draft.queryParams}
        begin={onePair}
        onChange={(queryParams) => change({ queryParams })}
      >
        <Pairs
          label="Query parameters"
          what="parameter"
          hint="Added to the URL of every request."
          error={form.issueAt('queryParams')}
          pairs={draft.queryParams ?? []}
          onChange={(queryParams) => change({ queryParams })}
        />
      </Secret>
    </fieldset>
  );
}

const onePair: readonly Pair[] = [{ name: '', value: '' }];

interface SecretProps<T> {
  label: string;
  /** What is stored, without its value; undefined: nothing. */
  stored: string | undefined;
  state: T | null | undefined;
  /** What a replacement begins with. */
  begin: T;
  onChange(state: T | null | undefined): void;
  /** The fields of a new value. */
  children: ReactNode;
}

/** A stored secret with what can be done with it, or the fields of a new one. */
function Secret<T>({ label, stored, state, begin, onChange, children }: SecretProps<T>) {
  if (stored === undefined) {
    return children;
  }
  if (state !== undefined && state !== null) {
    return (
      <div className={styles.secret}>
        {children}
        <Button size="small" onClick={() => onChange(undefined)}>
          Keep the stored {lower(label)}
        </Button>
      </div>
    );
  }
  return (
    <ControlField label={label}>
      {state === null ? (
        <p className={styles.stored}>
          <span className={styles.removed}>Removed when you save</span>
          <Button size="small" onClick={() => onChange(undefined)}>
            Keep {lower(label)}
          </Button>
        </p>
      ) : (
        <p className={styles.stored}>
          <span>{stored === 'Set' ? 'Set' : `Set: ${stored}`}</span>
          <Button
            size="small"
            onClick={() => onChange(begin)}
            aria-label={`Replace ${lower(label)}`}
          >
            Replace
          </Button>
          <Button size="small" onClick={() => onChange(null)} aria-label={`Remove ${lower(label)}`}>
            Remove
          </Button>
        </p>
      )}
    </ControlField>
  );
}

const lower = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1);

interface PairsProps {
  label: string;
  /** One of them, such as "header". */
  what: string;
  hint: string;
  error: string | undefined;
  pairs: readonly Pair[];
  onChange(pairs: readonly Pair[]): void;
}

const pairsMax = 50;

/** Names with values. */
function Pairs({ label, what, hint, error, pairs, onChange }: PairsProps) {
  const set = (index: number, part: Partial<Pair>): void =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...part } : pair)));
  const isInvalid = error !== undefined;
  return (
    <ControlField label={label} hint={hint} error={error}>
      {pairs.map((pair, index) => (
        <div key={index} className={styles.pair}>
          <BareInput
            label={`Name of ${what} ${index + 1}`}
            placeholder="Name"
            autoComplete="off"
            spellCheck={false}
            aria-invalid={isInvalid}
            value={pair.name}
            onChange={({ target }) => set(index, { name: target.value })}
          />
          <BareInput
            label={`Value of ${what} ${index + 1}`}
            placeholder="Value"
            autoComplete="off"
            spellCheck={false}
            aria-invalid={isInvalid}
            value={pair.value}
            onChange={({ target }) => set(index, { value: target.value })}
          />
          <IconButton
            label={`Remove ${what} ${index + 1}`}
            onClick={() => onChange(pairs.filter((_, at) => at !== index))}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      {pairs.length < pairsMax && (
        <Button
          size="small"
          className={styles.add}
          icon={<Plus size={14} aria-hidden />}
          onClick={() => onChange([...pairs, { name: '', value: '' }])}
        >
          Add {what}
        </Button>
      )}
    </ControlField>
  );
}
