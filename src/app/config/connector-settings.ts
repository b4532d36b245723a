import type { Config } from './config.ts';

/** The settings of the operator for the connectors, as their registry takes them. */
export function connectorSettings(config: Config) {
  const { cloudstreamEndpoint: endpoint, cloudstreamStsEndpoint: stsEndpoint } = config;
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(stsEndpoint !== undefined && { stsEndpoint }),
    regions: config.objectStorageRegions,
    retainedLogWarningBytes: config.retainedLogWarningMib * 2 ** 20,
  };
}
