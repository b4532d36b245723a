import { param } from '../../view/url-state.ts';

const tabs = ['settings', 'deliveries'] as const;
export type WebhookTab = (typeof tabs)[number];

/** What the URL of a webhook says. */
export interface WebhookParams {
  tab?: WebhookTab | undefined;
}

export const readWebhookParams = (raw: Record<string, unknown>): WebhookParams => ({
  tab: param.oneOf(raw, 'tab', tabs),
});
