import { Search, Settings, type LucideIcon } from 'lucide-react';
import type { LinkProps } from '@tanstack/react-router';

interface Screen {
  to: NonNullable<LinkProps['to']>;
  label: string;
  icon: LucideIcon;
  /** Second letter of the sequence `g …`. */
  letter: string;
}

/** Screens of the rail, in order. Only screens that are complete. */
export const screens: readonly Screen[] = [
  { to: '/search', label: 'Search', icon: Search, letter: 's' },
  { to: '/settings', label: 'Settings', icon: Settings, letter: 't' },
];
