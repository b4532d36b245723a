import type { TimeWindow } from './scale.ts';

export const tabs = ['attributes', 'events', 'links', 'logs'] as const;
export type Tab = (typeof tabs)[number];

/** How a trace is looked at. Empty: the whole trace. */
export interface TraceView {
  /** Only spans of the critical path. */
  isCritical: boolean;
  /** The part of the trace that fills the width. */
  window: TimeWindow | undefined;
  tab: Tab;
}

/** `critical`, a tab and `from-to` in nanoseconds after the start of the trace: `critical,logs,0-4000`. */
export function writeView({ isCritical, window, tab }: TraceView): string | undefined {
  const items = [
    ...(isCritical ? ['critical'] : []),
    ...(tab === 'attributes' ? [] : [tab]),
    ...(window ? [`${Math.round(window.fromNanos)}-${Math.round(window.toNanos)}`] : []),
  ];
  return items.length > 0 ? items.join(',') : undefined;
}

/** The view of a URL, or undefined if an item is none. */
export function readView(text: string): TraceView | undefined {
  const view: TraceView = { isCritical: false, window: undefined, tab: 'attributes' };
  for (const item of text.split(',')) {
    const tab = tabs.find((name) => name === item);
    const window = readWindow(item);
    if (item === 'critical') {
      view.isCritical = true;
    } else if (tab) {
      view.tab = tab;
    } else if (window) {
      view.window = window;
    } else {
      return undefined;
    }
  }
  return view;
}

function readWindow(text: string): TimeWindow | undefined {
  const match = /^(\d{1,16})-(\d{1,16})$/.exec(text);
  const fromNanos = Number(match?.[1]);
  const toNanos = Number(match?.[2]);
  return fromNanos < toNanos ? { fromNanos, toNanos } : undefined;
}
