export interface AlertTables {
  alert_progress: {
    workspace_id: string;
    alert_id: string;
    shard: number;
    interval_ms: number;
    last_end_ms: number | null;
    line_end_ms: number | null;
    state: string;
    last_value: number | null;
    last_evaluated_ms: number | null;
    group_by: string;
    groups: string;
    errors: string;
    delivery_errors: string;
  };
  alert_history: {
    workspace_id: string;
    alert_id: string;
    window_start_ms: number;
    window_end_ms: number;
    evaluated_ms: number;
    state: string;
    value: number | null;
    duration_ms: number;
    rows_read: number;
    reason: string | null;
    groups: string | null;
    skipped: number;
    calm_before: number;
    decision: string | null;
  };
  /**
   * One row: number, versions and last change of the documents that alerts are made from. On SQLite
   * only, where triggers keep it.
   */
  document_totals: { count: number; versions: number; latest_ms: number };
  /** Of all workspaces together; who asks for an alert's part has found its progress first. */
  alert_calm_windows: {
    shard: number;
    interval_ms: number;
    window_end_ms: number;
    /**
     * The first and the last of its alerts, with `-` between them: tells apart what was recorded of
     * one window, and where to look for an alert.
     */
    part: string;
    evaluated_ms: number;
    duration_ms: number;
    rows_read: number;
    /** `<id>=<value>;` for each alert, without a value where there was no data. */
    alerts: string;
  };
  alert_outbox: {
    workspace_id: string;
    alert_id: string;
    shard: number;
    event_id: string;
    webhook_id: string;
    window_end_ms: number;
    event: string;
    created_ms: number;
    status: string;
    attempts: number;
    next_attempt_ms: number;
    error: string | null;
    settled_ms: number | null;
    /** One line of JSON for each attempt; null before the first. */
    attempt_log: string | null;
  };
  /** Webhooks whose receiver returned 410 Gone, with the version of the webhook. */
  alert_disabled_webhooks: { webhook_id: string; version: number };
  alert_evaluators: { holder: string; seen_ms: number };
}
