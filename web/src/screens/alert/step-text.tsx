import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { maintenanceQuery } from '../../api/queries/maintenance.ts';
import { webhooksQuery } from '../../api/queries/webhooks.ts';
import { Time } from '../../kit/time.tsx';
import { formatTime } from '../../view/zone.ts';

type Names = ReadonlyMap<string, { name: string }>;

/** Names of the objects that an explanation names by their ids. */
export function useNames(): Names {
  const { data: webhooks } = useQuery(webhooksQuery);
  const { data: windows } = useQuery(maintenanceQuery);
  return useMemo(
    () => new Map([...(webhooks ?? []), ...(windows ?? [])].map((one) => [one.id, one])),
    [webhooks, windows],
  );
}

const parts = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\b[0-9a-f]{24}\b)/;

interface StepTextProps {
  text: string;
  names: Names;
  zone: string;
}

/** A sentence of the server, with the names of objects and times as the person reads them. */
export function StepText({ text, names, zone }: StepTextProps) {
  return text.split(parts).map((part, index) => {
    const ms = index % 2 === 1 ? Date.parse(part) : Number.NaN;
    if (!Number.isNaN(ms)) {
      return (
        <Time key={index} ms={ms}>
          {formatTime(ms, zone, 'second')}
        </Time>
      );
    }
    const known = index % 2 === 1 ? names.get(part) : undefined;
    return known ? <b key={index}>“{known.name}”</b> : <span key={index}>{part}</span>;
  });
}
