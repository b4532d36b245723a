import type { TraceTree } from './tree.ts';

/** A service of a trace and how its spans look. */
export interface Service {
  name: string;
  spanCount: number;
  errorCount: number;
  /** CSS colour. */
  color: string;
  /** The colours are used up: the ninth service has the first one, dashed. */
  isDashed: boolean;
}

const colors = 8;

/** Services by name, in the order of their first rows. */
export function servicesOf({ nodes }: TraceTree): ReadonlyMap<string, Service> {
  const services = new Map<string, Service>();
  for (const { span, isError } of nodes) {
    const name = span.serviceName;
    const service = services.get(name) ?? newService(name, services.size);
    service.spanCount += 1;
    service.errorCount += isError ? 1 : 0;
    services.set(name, service);
  }
  return services;
}

const newService = (name: string, index: number): Service => ({
  name,
  spanCount: 0,
  errorCount: 0,
  color: `var(--series-${(index % colors) + 1})`,
  isDashed: index % (2 * colors) >= colors,
});

export const serviceName = (name: string): string => (name === '' ? '(no service)' : name);
