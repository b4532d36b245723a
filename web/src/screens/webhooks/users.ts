import type { Alert } from '../../api/queries/alerts.ts';

/** The alerts that notify a webhook. */
export const usersOf = (id: string, alerts: readonly Alert[]): Alert[] =>
  alerts.filter(({ channel, channels = [] }) =>
    [channel, ...channels].some(({ webhookId }) => webhookId === id),
  );
