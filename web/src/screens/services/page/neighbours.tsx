import { useQuery } from '@tanstack/react-query';
import { serviceMapQuery, type ServiceEdge } from '../../../api/queries/services.ts';
import { EdgeTable } from '../map/edge-table.tsx';
import { mapRequest, sampleText } from '../map/map-request.ts';
import { secondsOf } from '../model/figures.ts';
import { Region } from '../region.tsx';
import type { ServicesModel } from '../use-services.ts';
import styles from '../services.module.css';

/** Who calls a service, and whom it calls. */
export function Neighbours({ model, service }: { model: ServicesModel; service: string }) {
  const request = serviceMapQuery({ body: mapRequest(model), runId: model.runId });
  const query = useQuery(request);
  const isCaller = ({ callee, calleeKind }: ServiceEdge): boolean =>
    calleeKind === 'service' && callee === service;
  return (
    <section className={styles.part} aria-label="Neighbours">
      <h2>Neighbours</h2>
      <Region
        query={query}
        queryKey={request.queryKey}
        failed="The neighbours cannot be listed"
        reading="Reading calls"
        zone={model.zone}
        lines={4}
      >
        {({ edges, sampleShare, span, atMs }) => {
          const callers = edges.filter(isCaller);
          const callees = edges.filter(({ caller }) => caller === service);
          const seconds = secondsOf(span, atMs);
          return (
            <>
              {sampleShare < 1 && <p className={styles.note}>{sampleText(sampleShare)}</p>}
              {callers.length + callees.length === 0 && (
                <p className={styles.note}>No call to or from another service in this range.</p>
              )}
              {callers.length > 0 && (
                <EdgeTable label="Called by" end="caller" edges={callers} seconds={seconds} />
              )}
              {callees.length > 0 && (
                <EdgeTable label="Calls" end="callee" edges={callees} seconds={seconds} />
              )}
            </>
          );
        }}
      </Region>
    </section>
  );
}
