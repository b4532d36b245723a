// Creates, lists, updates and deletes with the generated Go client.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"clients/sightline"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(holds bool, what string, body []byte) {
	if !holds {
		panic(fmt.Sprintf("%s: %s", what, body))
	}
}

func authorize(_ context.Context, request *http.Request) error {
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ACCESS_KEY"))
	return nil
}

func hasDashboard(client *sightline.ClientWithResponses, id string) bool {
	list := must(client.ListDashboardsWithResponse(context.Background(), nil))
	check(list.JSON200 != nil, "list", list.Body)
	for _, dashboard := range list.JSON200.Data {
		if dashboard.Id == id {
			return true
		}
	}
	return false
}

func newSource(client *sightline.ClientWithResponses) string {
	sources := must(client.ListSourcesWithResponse(context.Background(), nil))
	check(sources.JSON200 != nil, "list sources", sources.Body)
	first := must(sources.JSON200.Data[0].AsSourceLog())
	var body sightline.SourceInput
	input := sightline.SourceInputLog{Name: "Go", From: sightline.SourceTable(first.From)}
	if err := body.FromSourceInputLog(input); err != nil {
		panic(err)
	}
	source := must(client.CreateSourceWithResponse(context.Background(), nil, body))
	check(source.JSON200 != nil, "create source", source.Body)
	return must(source.JSON200.Data.AsSourceLog()).Id
}

func tiles(sourceId string) []sightline.TileInput {
	var line, markdown sightline.TileConfig
	config := sightline.TileConfigLine{
		SourceId: sourceId,
		Select:   []sightline.TileSelect{{AggFn: "count"}},
	}
	if err := line.FromTileConfigLine(config); err != nil {
		panic(err)
	}
	if err := markdown.FromTileConfigMarkdown(sightline.TileConfigMarkdown{Markdown: "# Hi"}); err != nil {
		panic(err)
	}
	return []sightline.TileInput{
		{X: 0, Y: 0, W: 12, H: 4, Config: line},
		{X: 12, Y: 0, W: 12, H: 4, Config: markdown},
	}
}

func main() {
	all := context.Background()
	client := must(sightline.NewClientWithResponses(
		os.Getenv("BASE_URL"), sightline.WithRequestEditorFn(authorize)))
	sourceId := newSource(client)

	input := tiles(sourceId)
	created := must(client.CreateDashboardWithResponse(all, nil,
		sightline.DashboardInput{Name: "Go", Tiles: &input}))
	check(created.JSON200 != nil, "create", created.Body)
	id := created.JSON200.Data.Id
	config := must(created.JSON200.Data.Tiles[0].Config.Discriminator())
	check(config == "line", "tile", created.Body)
	check(hasDashboard(client, id), "list", nil)

	name := "Changed"
	changed := must(client.UpdateDashboardWithResponse(all, id, nil,
		sightline.DashboardChange{Name: &name}))
	check(changed.JSON200 != nil && changed.JSON200.Data.Name == name, "update", changed.Body)

	refused := must(client.CreateDashboardWithResponse(all, nil, sightline.DashboardInput{}))
	check(refused.JSON400 != nil && (*refused.JSON400.Errors)[0].Path == "name", "refusal", refused.Body)

	removed := must(client.DeleteDashboardWithResponse(all, id, nil))
	check(removed.StatusCode() == 200, "delete", removed.Body)
	without := must(client.DeleteSourceWithResponse(all, sourceId, nil))
	check(without.StatusCode() == 200, "delete source", without.Body)
	check(!hasDashboard(client, id), "list after delete", nil)
	fmt.Println("ok")
}
