"""Creates, lists, updates and deletes with the generated Python client."""

import os

from sightline_client import AuthenticatedClient
from sightline_client.api.dashboards import (
    create_dashboard,
    delete_dashboard,
    list_dashboards,
    update_dashboard,
)
from sightline_client.api.sources import create_source, delete_source, list_sources
from sightline_client.models import (
    AggregateFunction,
    DashboardChange,
    DashboardInput,
    Error,
    SourceInputLog,
    SourceLog,
    SourceTable,
    TileConfigLine,
    TileConfigMarkdown,
    TileInput,
    TileSelect,
)

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["ACCESS_KEY"])

sources = list_sources.sync(client=client).data
table = SourceTable(database_name=sources[0].from_.database_name, table_name="otel_logs")
source = create_source.sync(
    client=client, body=SourceInputLog(kind="log", name="Python", from_=table)
).data
assert isinstance(source, SourceLog)

tiles = [
    TileInput(
        x=0,
        y=0,
        w=12,
        h=4,
        config=TileConfigLine(
            display_type="line",
            source_id=source.id,
            select=[TileSelect(agg_fn=AggregateFunction.COUNT)],
        ),
    ),
    TileInput(
        x=12, y=0, w=12, h=4, config=TileConfigMarkdown(display_type="markdown", markdown="# Hi")
    ),
]
created = create_dashboard.sync(client=client, body=DashboardInput(name="Python", tiles=tiles)).data
assert [tile.config.display_type for tile in created.tiles] == ["line", "markdown"]
assert created.id in [item.id for item in list_dashboards.sync(client=client).data]

changed = update_dashboard.sync(created.id, client=client, body=DashboardChange(name="Changed"))
assert changed.data.name == "Changed"

refused = create_dashboard.sync(client=client, body=DashboardInput(name=""))
assert isinstance(refused, Error) and refused.errors[0].path == "name"

assert delete_dashboard.sync_detailed(created.id, client=client).status_code == 200
assert delete_source.sync_detailed(source.id, client=client).status_code == 200
assert created.id not in [item.id for item in list_dashboards.sync(client=client).data]
print("ok")
