import { CircleCheck, CircleX, Send } from 'lucide-react';
import type { WebhookTestResult } from '../api/queries/webhooks.ts';
import { Button } from '../kit/button.tsx';
import { ErrorText } from '../kit/state.tsx';
import { testText } from './test-text.ts';
import type { WebhookFormModel } from './use-webhook-form.ts';
import styles from './webhooks.module.css';

/** Sends a sample event with what is entered. Nothing is saved. */
export function TestButton({ model: { isTesting, test } }: { model: WebhookFormModel }) {
  return (
    <Button icon={<Send size={14} aria-hidden />} disabled={isTesting} onClick={test}>
      Send a test
    </Button>
  );
}

/** What the receiver answered to the last test. */
export function TestOutcome({ model: { isTesting, outcome } }: { model: WebhookFormModel }) {
  return (
    <>
      <div role="status" className={styles.outcome}>
        {isTesting && <p className={styles.hint}>Waiting for the receiver…</p>}
        {outcome && 'result' in outcome && <Verdict result={outcome.result} />}
      </div>
      <ErrorText error={outcome && 'error' in outcome ? outcome.error : undefined} />
    </>
  );
}

/** `Delivered: status 200 in 41 ms`, with the beginning of the answer. */
function Verdict({ result }: { result: WebhookTestResult }) {
  const { delivered, body = '' } = result;
  const Icon = delivered ? CircleCheck : CircleX;
  return (
    <>
      <p className={styles.verdict} data-ok={delivered || undefined}>
        <Icon size={16} aria-hidden />
        {testText(result)}
      </p>
      {body !== '' && (
        <pre className={styles.code} role="region" aria-label="Response" tabIndex={0}>
          {body}
        </pre>
      )}
    </>
  );
}
