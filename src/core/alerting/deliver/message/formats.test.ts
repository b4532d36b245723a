import { describe, expect, it } from 'vitest';
import {
  sampleWebhookEvent,
  type WebhookEvent,
} from '../../../../contract/webhook/webhook-event.ts';
import { messageBody } from '../../../../contract/webhook/webhook-message.ts';
import type { WebhookService } from '../../../../contract/webhook/webhook.ts';
import { definitionOf } from '../../alert-definition.ts';
import { alertEvent } from '../../decide/alert-event.ts';

const bodyFor = (service: WebhookService, event: WebhookEvent): unknown =>
  JSON.parse(messageBody({ service, template: null, secrets: {} }, event));

const titled = (title: string): WebhookEvent => ({
  ...sampleWebhookEvent,
  data: { ...sampleWebhookEvent.data, title, body: title },
});

describe('a message in the format of its service', () => {
  it.each(['slack', 'incidentio', 'pagerduty'] as const)(
    'for %s never ends in half a surrogate pair',
    (service) => {
      for (const offset of ['', 'x']) {
        const text = JSON.stringify(bodyFor(service, titled(offset + '🔥'.repeat(4000))));
        expect(text).not.toMatch(/\\u[dD][89a-fA-F]/);
      }
    },
  );

  it('keeps a short text whole', () => {
    const title = '🔥'.repeat(512);
    expect(bodyFor('pagerduty', titled(title))).toMatchObject({ payload: { summary: title } });
  });

  it.each([
    [undefined, 'critical'],
    [null, 'critical'],
    ['warning', 'warning'],
    ['info', 'info'],
  ] as const)('for PagerDuty has the severity of the alert: %s is %s', (severity, expected) => {
    const definition = definitionOf(
      { source: 'search', interval: '5m', threshold: 1, thresholdType: 'above', severity },
      { id: '65f0c1d2e3a4b5c6d7e8f901', workspaceId: '65f0c1d2e3a4b5c6d7e8f900', version: 1 },
    );
    const event = alertEvent({
      definition,
      group: [],
      notification: {
        state: 'firing',
        previousState: 'inactive',
        reason: 'fired',
        incidentMs: 0,
      },
      value: 2,
      window: { startMs: 0, endMs: 300_000 },
      decidedAtMs: 300_000,
      publicUrl: '',
    });
    expect(bodyFor('pagerduty', event)).toMatchObject({ payload: { severity: expected } });
  });

  it('for PagerDuty is critical if an older version stored the event', () => {
    const { severity: _severity, ...alert } = sampleWebhookEvent.data.alert;
    const stored = { ...sampleWebhookEvent, data: { ...sampleWebhookEvent.data, alert } };
    expect(bodyFor('pagerduty', stored as WebhookEvent)).toMatchObject({
      payload: { severity: 'critical' },
    });
  });
});
