import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { serviceMapQuery, type ServiceMap } from '../../../api/queries/services.ts';
import { Button } from '../../../kit/button.tsx';
import { Empty } from '../../../kit/state.tsx';
import { plural } from '../../../view/number-format.ts';
import { useTitle } from '../../../view/use-title.ts';
import { secondsOf } from '../model/figures.ts';
import { Region } from '../region.tsx';
import { SourceHelp } from '../source-help.tsx';
import { Tools } from '../tools.tsx';
import type { ServicesModel } from '../use-services.ts';
import { ViewTabs } from '../view-tabs.tsx';
import { EdgeTable } from './edge-table.tsx';
import { graphOf } from './graph.ts';
import { MapDrawing } from './map-drawing.tsx';
import { mapRequest, sampleText } from './map-request.ts';
import styles from '../services.module.css';

/** The services and the calls between them, as a drawing and as a table. */
export function ServiceMapView({ model }: { model: ServicesModel }) {
  const { source, runId, zone, zoomOut } = model;
  useTitle('Map of services');
  const request = serviceMapQuery({ body: mapRequest(model), runId });
  const query = useQuery(request);
  return (
    <div className={styles.page}>
      <header className={styles.headLine}>
        <h1>Services</h1>
        <ViewTabs />
        <Tools model={model} />
      </header>
      <Region
        query={query}
        queryKey={request.queryKey}
        failed="The map cannot be drawn"
        reading="Reading calls"
        zone={zone}
        lines={8}
        help={<SourceHelp source={source} />}
      >
        {({ span, atMs, ...map }) =>
          map.nodes.length > 0 ? (
            <WholeMap map={map} seconds={secondsOf(span, atMs)} />
          ) : (
            <Empty
              title="No span in this range"
              actions={
                <>
                  <Button size="small" onClick={zoomOut}>
                    Widen the range
                  </Button>
                  <Link to="/welcome">How to send spans</Link>
                </>
              }
            >
              The map is made from the spans of {source.name}.
            </Empty>
          )
        }
      </Region>
    </div>
  );
}

function WholeMap({ map, seconds }: { map: ServiceMap; seconds: number }) {
  const graph = useMemo(() => graphOf(map), [map]);
  const services = map.nodes.filter(({ kind }) => kind === 'service').length;
  const others = map.nodes.length - services;
  return (
    <>
      <p className={styles.note} role="status">
        {plural(services, 'service')}
        {others > 0 && `, ${plural(others, 'other system')}`}
        {map.truncated && ', those with the most calls'}
        {map.sampleShare < 1 && `. ${sampleText(map.sampleShare)}`}
      </p>
      <MapDrawing graph={graph} seconds={seconds} />
      {map.edges.length > 0 ? (
        <EdgeTable label="Calls" edges={map.edges} seconds={seconds} />
      ) : (
        <p className={styles.note}>No service calls another one in this range.</p>
      )}
    </>
  );
}
