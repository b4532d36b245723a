import { ApiError } from '../api-error.ts';
import { api, ask, askVersion, type Schemas } from '../client.ts';
import { queries } from '../query-client.ts';

type Dashboard = Schemas['Dashboard'];

interface NewTile {
  name: string;
  config: Schemas['TileConfigResult'];
}

const size = { w: 12, h: 6 };
const attempts = 3;

/** Adds a tile below all others of a dashboard, or makes a dashboard of it. @throws ApiError */
export async function addTile(
  target: { id: string } | { name: string },
  tile: NewTile,
): Promise<{ id: string; name: string; tileId: string | undefined }> {
  const saved = await ('id' in target ? appended(target.id, tile) : made(target.name, tile));
  await queries.invalidateQueries({ queryKey: ['dashboards'] });
  // The server keeps the order of tiles.
  return { id: saved.id, name: saved.name, tileId: saved.tiles.at(-1)?.id };
}

const made = (name: string, tile: NewTile): Promise<Dashboard> =>
  ask(
    api.POST('/dashboards', {
      body: { name, tags: [], filters: [], tiles: [{ ...tile, ...size, x: 0, y: 0 }] },
    }),
  );

/** If somebody changes the dashboard in between, the tile is added to what they made of it. */
async function appended(id: string, tile: NewTile, attempt = 1): Promise<Dashboard> {
  const path = { id };
  const { item, version } = await askVersion(api.GET('/dashboards/{id}', { params: { path } }));
  const y = Math.max(0, ...item.tiles.map((one) => one.y + one.h));
  try {
    return await ask(
      api.PUT('/dashboards/{id}', {
        params: { path, header: { 'If-Match': version } },
        body: { tiles: [...item.tiles, { ...tile, ...size, x: 0, y }] },
      }),
    );
  } catch (error) {
    if (error instanceof ApiError && error.status === 412 && attempt < attempts) {
      return appended(id, tile, attempt + 1);
    }
    throw error;
  }
}
