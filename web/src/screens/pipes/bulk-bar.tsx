import { CircleX, Check, Pause, Play, X } from 'lucide-react';
import type { ListedPipe } from '../../api/queries/pipes.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { CheckBox } from '../../kit/check-box.tsx';
import { usePipeRights } from '../../pipes/rights.ts';
import { plural } from '../../view/number-format.ts';
import type { CommandLine, Commands, Outcome } from './use-commands.ts';
import styles from './pipes.module.css';

interface BulkBarProps {
  shown: readonly ListedPipe[];
  chosen: readonly ListedPipe[];
  commands: Commands;
  /** Selects all or none. */
  onChoose(all: boolean): void;
}

/** Starts and stops all selected pipes, with the result of each. */
export function BulkBar({ shown, chosen, commands, onChoose }: BulkBarProps) {
  const { canChange, reason } = usePipeRights();
  const { isBusy, outcome, send, forget } = commands;
  const isAll = chosen.length === shown.length;
  const isOff = !canChange || isBusy || chosen.length === 0;
  return (
    <>
      <div className={styles.bulk} role="group" aria-label="Selected pipes">
        <CheckBox
          label="Select all"
          checked={isAll}
          isMixed={!isAll && chosen.length > 0}
          onChange={() => onChoose(!isAll)}
        />
        <Button
          size="small"
          icon={<Play size={14} aria-hidden />}
          aria-keyshortcuts="s"
          disabled={isOff}
          title={reason}
          onClick={() => send(chosen, 'start')}
        >
          Start
        </Button>
        <Button
          size="small"
          icon={<Pause size={14} aria-hidden />}
          aria-keyshortcuts="Shift+S"
          disabled={isOff}
          title={reason}
          onClick={() => send(chosen, 'stop')}
        >
          Stop
        </Button>
        <span className={styles.quiet}>
          {chosen.length === 0 ? 'Select pipes to start or stop them' : `${chosen.length} selected`}
        </span>
      </div>
      <div role="status">{outcome && <Results outcome={outcome} onClose={forget} />}</div>
    </>
  );
}

const done = { start: 'started', stop: 'stopped' };

function Results({ outcome: { command, lines }, onClose }: { outcome: Outcome; onClose(): void }) {
  const failed = lines.filter((line) => 'problem' in line.outcome).length;
  const text =
    failed === 0
      ? `${plural(lines.length, 'pipe')} ${done[command]}`
      : `${lines.length - failed} of ${plural(lines.length, 'pipe')} ${done[command]}`;
  return (
    <section className={styles.results} aria-label="Results">
      <div className={styles.resultsHead}>
        <h2>{text}</h2>
        <IconButton label="Close the results" size="small" onClick={onClose}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      <ul>
        {lines.map((line) => (
          <ResultLine key={line.id} line={line} />
        ))}
      </ul>
    </section>
  );
}

function ResultLine({ line: { name, outcome } }: { line: CommandLine }) {
  return 'problem' in outcome ? (
    <li data-failed>
      <CircleX size={14} aria-hidden />
      <span>
        {name}: {outcome.problem}
      </span>
    </li>
  ) : (
    <li>
      <Check size={14} aria-hidden />
      <span>
        {name}: {outcome.state}
      </span>
    </li>
  );
}
