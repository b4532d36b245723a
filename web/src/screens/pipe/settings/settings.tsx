import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import {
  pipeSettingsQuery,
  type Pipe,
  type PipeSettings,
  type VersionedPipe,
} from '../../../api/queries/pipes.ts';
import { Button } from '../../../kit/button.tsx';
import { Fact, Facts } from '../../../kit/facts.tsx';
import { Failure, Skeleton } from '../../../kit/state.tsx';
import { usePipeRights } from '../../../pipes/rights.ts';
import { settingWords } from '../../../pipes/setting-words.ts';
import { formatCount } from '../../../view/number-format.ts';
import { usePref } from '../../../view/use-pref.ts';
import { formatTime, zoneLabel, zoneName } from '../../../view/zone.ts';
import { EditDialog } from '../edit/edit-dialog.tsx';
import type { EditForm } from '../edit/edit-form.ts';
import {
  nameForm,
  scalingForm,
  scalingLabel,
  scalingNames,
  settingNames,
  settingsForm,
} from './setting-fields.ts';
import { sourceFacts } from './source-facts.ts';
import { sourceForm } from './source-fields.ts';
import styles from '../pipe.module.css';

/** How the pipe is set, and what of it can be changed. */
export function Settings({ stored }: { stored: VersionedPipe }) {
  const { item: pipe } = stored;
  const [form, setForm] = useState<EditForm>();
  return (
    <>
      <General pipe={pipe} onEdit={setForm} />
      <Section title="Source" action="Change source" onAction={() => setForm(sourceForm(pipe))}>
        <Facts>
          {sourceFacts(pipe).map(({ name, text }) => (
            <Fact key={name} name={name}>
              {text}
            </Fact>
          ))}
          <Fact name="Credentials">Stored encrypted, if there are any, and never shown.</Fact>
        </Facts>
      </Section>
      <Section title="Scaling" action="Change scaling" onAction={() => setForm(scalingForm(pipe))}>
        <Facts>
          {scalingNames.map((name) => (
            <Fact key={name} name={scalingLabel(name)}>
              {scalingText(name, pipe.scaling[name])}
            </Fact>
          ))}
        </Facts>
      </Section>
      <Advanced pipe={pipe} onEdit={setForm} />
      {form && <EditDialog form={form} stored={stored} onClose={() => setForm(undefined)} />}
    </>
  );
}

const scalingText = (name: (typeof scalingNames)[number], value: number): string =>
  name === 'concurrency' && value === 0 ? 'Automatic' : String(value);

interface PartProps {
  pipe: Pipe;
  onEdit(form: EditForm): void;
}

function General({ pipe, onEdit }: PartProps) {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const time = (iso: string): string =>
    `${formatTime(Date.parse(iso), zone, 'minute')} ${zoneLabel(zone, Date.parse(iso))}`;
  return (
    <Section title="General" action="Rename" onAction={() => onEdit(nameForm(pipe))}>
      <Facts>
        <Fact name="Name">{pipe.name}</Fact>
        <Fact name="Id">
          <code>{pipe.id}</code>
        </Fact>
        <Fact name="Created">{time(pipe.createdAt)}</Fact>
        <Fact name="Changed">{time(pipe.updatedAt)}</Fact>
      </Facts>
    </Section>
  );
}

function Advanced({ pipe, onEdit }: PartProps) {
  const { data, error, refetch } = useQuery(pipeSettingsQuery(pipe.id));
  if (!data) {
    return error ? (
      <Failure title="The settings cannot be read" error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton lines={4} />
    );
  }
  return (
    <Section
      title="Advanced"
      action="Change settings"
      onAction={() => onEdit(settingsForm(pipe, data))}
    >
      <Facts>
        {settingNames(pipe).map((name) => (
          <Fact key={name} name={settingWords[name]}>
            {settingText(data[name])}
            {pipe.settings[name] === undefined && <span className={styles.quiet}> (default)</span>}
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}

function settingText(value: PipeSettings[keyof PipeSettings]): string {
  if (typeof value === 'boolean') {
    return value ? 'On' : 'Off';
  }
  return formatCount(value);
}

interface SectionProps {
  title: string;
  action: string;
  onAction(): void;
  children: ReactNode;
}

/** Facts with the way to change them. */
function Section({ title, action, onAction, children }: SectionProps) {
  const { canChange, reason } = usePipeRights();
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        <Button
          size="small"
          icon={<Pencil size={12} aria-hidden />}
          disabled={!canChange}
          title={reason}
          onClick={onAction}
        >
          {action}
        </Button>
      </div>
      {children}
    </section>
  );
}
