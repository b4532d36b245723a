import { Box, Database, Globe, MessagesSquare, type LucideIcon } from 'lucide-react';
import type { ServiceNode } from '../../../api/queries/services.ts';
import { ServiceLink } from '../list/service-link.tsx';
import styles from '../services.module.css';

type Kind = ServiceNode['kind'];

export const kindIcons: Readonly<Record<Kind, LucideIcon>> = {
  service: Box,
  database: Database,
  messaging: MessagesSquare,
  external: Globe,
};

export const kindNames: Readonly<Record<Kind, string>> = {
  service: 'Service',
  database: 'Database',
  messaging: 'Messages',
  external: 'Other system',
};

/** A service is a link; other systems have a sign of their kind. */
export function NodeName({ kind, name }: { kind: Kind; name: string }) {
  if (kind === 'service') {
    return <ServiceLink name={name} />;
  }
  const Icon = kindIcons[kind];
  return (
    <span className={styles.outer}>
      <Icon size={14} role="img" aria-label={kindNames[kind]} />
      {name}
    </span>
  );
}
