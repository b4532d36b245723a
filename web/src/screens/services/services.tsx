import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { isRowSource, sourcesQuery } from '../../api/queries/sources.ts';
import { Empty, Failure, Skeleton } from '../../kit/state.tsx';
import { ServiceList } from './list/service-list.tsx';
import { ServiceMapView } from './map/map-view.tsx';
import type { SpanSource } from './model/figures.ts';
import { ServicePage } from './page/service-page.tsx';
import { useServices } from './use-services.ts';

const route = getRouteApi('/inside/services');

/** The services that send spans: all of them, their map, or one. */
export function Services() {
  const { source: wanted } = route.useSearch();
  const { data, error, isPending, refetch } = useQuery(sourcesQuery);
  if (isPending) {
    return <Skeleton lines={10} />;
  }
  if (error) {
    return (
      <Failure title="The sources cannot be listed" error={error} onRetry={() => void refetch()} />
    );
  }
  const sources = data.filter(isRowSource).filter((one): one is SpanSource => one.kind === 'trace');
  const source = sources.find(({ id }) => id === wanted) ?? sources[0];
  return source ? (
    <OfSource source={source} sources={sources} />
  ) : (
    <Empty
      title="There is no source of spans"
      actions={
        <Link to="/settings/sources" search={{ new: true }}>
          New source
        </Link>
      }
    >
      Services are made from the spans of a source of traces.
    </Empty>
  );
}

interface OfSourceProps {
  source: SpanSource;
  sources: readonly SpanSource[];
}

function OfSource({ source, sources }: OfSourceProps) {
  const model = useServices(source, sources);
  const { service, view } = model.params;
  if (service !== undefined) {
    return <ServicePage key={service} model={model} service={service} />;
  }
  return view === 'map' ? <ServiceMapView model={model} /> : <ServiceList model={model} />;
}
