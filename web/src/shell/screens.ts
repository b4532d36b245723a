import {
  Bell,
  Building2,
  Cable,
  ChartSpline,
  Gauge,
  HeartPulse,
  LayoutDashboard,
  Search,
  Settings,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import type { LinkProps } from '@tanstack/react-router';

export type Target = NonNullable<LinkProps['to']>;

export interface Screen {
  to: Target;
  label: string;
  icon: LucideIcon;
  /** More words to find it by. */
  words?: string;
  /** Second letter of the sequence `g …`. */
  letter: string;
}

/** Screens of the rail, in order. Only screens that are complete. */
export const screens: readonly Screen[] = [
  { to: '/search', label: 'Search', icon: Search, letter: 's' },
  { to: '/dashboards', label: 'Dashboards', icon: LayoutDashboard, letter: 'd' },
  { to: '/explore', label: 'Explore', icon: ChartSpline, letter: 'e' },
  {
    to: '/services',
    label: 'Services',
    words: 'map operations errors red',
    icon: Workflow,
    letter: 'v',
  },
  { to: '/metrics', label: 'Metrics', icon: Gauge, letter: 'm' },
  { to: '/alerts', label: 'Alerts', words: 'firing incidents', icon: Bell, letter: 'a' },
  {
    to: '/pipes',
    label: 'Pipes',
    words: 'kafka postgresql object storage cloudstream',
    icon: Cable,
    letter: 'p',
  },
  {
    to: '/health',
    label: 'Health',
    words: 'status server processes engine disk',
    icon: HeartPulse,
    letter: 'h',
  },
  {
    to: '/organization',
    label: 'Organization',
    words: 'api keys audit trail services databases',
    icon: Building2,
    letter: 'o',
  },
  { to: '/settings', label: 'Settings', words: 'preferences', icon: Settings, letter: 't' },
];

/** Screens that have a place in the bar of a small screen. The others are behind “More”. */
const barPlaces = 4;

/** The screens of the bar: the first ones, and always the one that the person sees. */
export function barScreens(pathname: string): readonly Screen[] {
  const first = screens.slice(0, barPlaces);
  const seen = screens.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  return !seen || first.includes(seen) ? first : [...first.slice(0, -1), seen];
}

interface PageGroup {
  title: string;
  pages: readonly { to: Target; label: string }[];
}

/** Pages of settings, in order. */
export const settingsPages: readonly PageGroup[] = [
  {
    title: 'You',
    pages: [
      { to: '/settings', label: 'Preferences' },
      { to: '/settings/keys', label: 'Access keys' },
      { to: '/settings/sessions', label: 'Sessions' },
    ],
  },
  {
    title: 'Team',
    pages: [
      { to: '/settings/team', label: 'Team' },
      { to: '/settings/members', label: 'Members' },
      { to: '/settings/sources', label: 'Sources' },
      { to: '/settings/webhooks', label: 'Webhooks' },
    ],
  },
];

interface Creation {
  /** The page that has the form, and the parameters that open it. */
  to: Target;
  search?: { new: true; tab?: 'keys' };
  label: string;
  /** The scope that a person needs; absent: everybody may. */
  scope?: string;
}

/** Objects that a person can make from everywhere. */
export const creations: readonly Creation[] = [
  { to: '/dashboards', search: { new: true }, label: 'Dashboard' },
  {
    to: '/settings/members',
    search: { new: true },
    label: 'Member',
    scope: 'members:write',
  },
  { to: '/settings/sources', search: { new: true }, label: 'Source', scope: 'sources:write' },
  { to: '/settings/keys', search: { new: true }, label: 'Access key' },
  {
    to: '/organization',
    search: { new: true, tab: 'keys' },
    label: 'API key of the organization',
    scope: 'keys:write',
  },
  { to: '/settings/webhooks/new', label: 'Webhook', scope: 'webhooks:write' },
  { to: '/alerts/new', label: 'Alert' },
  { to: '/alerts/maintenance', search: { new: true }, label: 'Maintenance window' },
  { to: '/pipes/new', label: 'Pipe', scope: 'pipes:write' },
];
