/**
 * Bodies of pipes of every source kind, with a canary in everything that is never to be seen again;
 * and a certificate that is none.
 */
export function pipeSecrets(canary: () => string) {
  const login = () => ({ username: canary(), password: canary() });
  const accessKey = () => ({ accessKeyId: canary(), secretKey: canary() });
  const tables = [{ sourceSchemaName: 'public', sourceTable: 'orders', targetTable: 'orders' }];
  const destination = {
    database: 'telemetry',
    table: 'orders',
    managedTable: true,
    columns: [{ name: 'id', type: 'UInt64' }],
  };
  const connectionString = () => {
    const key = Buffer.from(canary()).toString('base64');
    return `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${key};EndpointSuffix=core.windows.net`;
  };
  return {
    pem: canary(),
    kafka: {
      body: {
        source: {
          kafka: {
            brokers: '127.0.0.1:9092',
            topics: 'orders',
            format: 'AvroConfluent',
            authentication: 'PLAIN',
            credentials: login(),
            schemaRegistry: {
              url: 'https://127.0.0.1:8081',
              authentication: 'PLAIN',
              credentials: login(),
            },
          },
        },
        destination,
      },
      change: { kafka: { credentials: login() } },
    },
    objectStorage: {
      body: {
        source: {
          objectStorage: {
            url: 'https://127.0.0.1/bucket/*.json',
            format: 'JSONEachRow',
            accessKey: accessKey(),
          },
        },
        destination,
      },
      change: { objectStorage: { accessKey: accessKey() } },
    },
    azure: {
      body: {
        source: {
          objectStorage: {
            containerName: 'shop',
            connectionString: connectionString(),
            path: '*.json',
            format: 'JSONEachRow',
          },
        },
        destination,
      },
      change: { objectStorage: { connectionString: connectionString() } },
    },
    cloudstream: {
      body: {
        source: {
          cloudstream: { streamName: 'orders', region: 'eu-central-1', accessKey: accessKey() },
        },
        destination,
      },
      change: { cloudstream: { accessKey: accessKey() } },
    },
    postgres: {
      body: {
        source: {
          postgres: {
            host: '127.0.0.1',
            database: 'shop',
            credentials: login(),
            tableMappings: tables,
          },
        },
        destination: { database: 'telemetry' },
      },
      change: { postgres: { credentials: login() } },
    },
  };
}
