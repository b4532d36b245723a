// Generated from docs/openapi/open-source.json by `npm run generate`.
export interface paths {
    "/dashboards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dashboards
         * @description Returns dashboards with their tiles, in creation order.
         */
        get: operations["listDashboards"];
        put?: never;
        /**
         * Create a dashboard
         * @description The server assigns the ids of the dashboard and its tiles. Every source that a tile refers to must exist.
         */
        post: operations["createDashboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboards/summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dashboards without their tiles
         * @description Returns name, tags and number of tiles of each dashboard, in creation order.
         */
        get: operations["listDashboardSummaries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboards/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate a dashboard without saving it
         * @description Returns the same errors as create.
         */
        post: operations["validateDashboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboards/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a dashboard
         * @description Returns the dashboard with its tiles.
         */
        get: operations["getDashboard"];
        /**
         * Update a dashboard
         * @description Each field in the request replaces the stored field. Removing a tile deletes its alerts.
         */
        put: operations["updateDashboard"];
        post?: never;
        /**
         * Delete a dashboard
         * @description Also deletes the alerts of its tiles.
         */
        delete: operations["deleteDashboard"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alerts
         * @description Returns alerts with their state, in creation order. `recent=20` adds the last 20 evaluations of each alert without their groups.
         */
        get: operations["listAlerts"];
        put?: never;
        /**
         * Create an alert
         * @description The server evaluates the alert at every interval and notifies its webhooks. Objects that the alert refers to must exist.
         */
        post: operations["createAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an alert
         * @description Returns the alert with its state and the errors of its evaluation.
         */
        get: operations["getAlert"];
        /**
         * Update an alert
         * @description Omitted fields keep their value. The update does not change the state or history of the alert.
         */
        put: operations["updateAlert"];
        post?: never;
        /**
         * Delete an alert
         * @description Also deletes the state and history of the alert.
         */
        delete: operations["deleteAlert"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview an alert on past data
         * @description Evaluates a definition over the most recent complete windows. The server stores nothing and sends nothing.
         */
        post: operations["previewAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the evaluations of an alert, newest first
         * @description Returns one item for each evaluated window. For the next page, pass the `windowEnd` of the last item as `before`.
         */
        get: operations["getAlertHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of an alert
         * @description Returns one item for each notification and webhook, newest first. The server keeps settled deliveries for a limited time (`SIGHTLINE_ALERT_DELIVERY_DAYS`).
         */
        get: operations["listAlertDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain why an alert did or did not notify
         * @description Follows one evaluated window from the rows to the receivers: rows, value, threshold, consecutive windows, incident, silence, maintenance, acknowledgement and delivery attempts.
         */
        get: operations["explainAlert"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/silence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Silence an alert
         * @description The server keeps evaluating the alert but sends no notifications. If the alert still fires when the silence ends, the server sends a notification then.
         */
        post: operations["silenceAlert"];
        /**
         * End the silence of an alert
         * @description If the alert still fires, it sends a notification at its next evaluation.
         */
        delete: operations["unsilenceAlert"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge the incident of an alert
         * @description Records that somebody works on the incident. The server sends no reminders for it, but it sends the end. The acknowledgement ends with the incident. Fails with 409 if nothing fires.
         */
        post: operations["acknowledgeAlert"];
        /**
         * Withdraw an acknowledgement
         * @description Reminders continue at the next evaluation.
         */
        delete: operations["unacknowledgeAlert"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/maintenance-windows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List maintenance windows
         * @description Returns maintenance windows with their current or next occurrence.
         */
        get: operations["listMaintenanceWindows"];
        put?: never;
        /**
         * Create a maintenance window
         * @description During the window the server evaluates the alerts but sends no notifications. Afterwards it sends one notification for each alert and group that still fires.
         */
        post: operations["createMaintenanceWindow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/maintenance-windows/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a maintenance window
         * @description Returns the window with its current or next occurrence.
         */
        get: operations["getMaintenanceWindow"];
        /**
         * Update a maintenance window
         * @description Omitted fields keep their value. The change takes effect at the next evaluation.
         */
        put: operations["updateMaintenanceWindow"];
        post?: never;
        /**
         * Delete a maintenance window
         * @description If the window covers this moment, it ends now.
         */
        delete: operations["deleteMaintenanceWindow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/charts/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query time series
         * @description Returns up to five series over one time range, in buckets aligned to the Unix epoch (UTC). Buckets without rows are omitted. A series without a value in a bucket omits its key.
         */
        post: operations["querySeries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/charts/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query totals
         * @description Returns up to five series over a whole time range: one row for each group, without buckets. A series without a value omits its key.
         */
        post: operations["queryTotals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/charts/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query many charts at once
         * @description Answers up to 100 requests in as few scans as their ranges and sources allow. The results are those of the single requests, in the same order. A request that fails has an error in place of its result, and the others are answered.
         */
        post: operations["queryBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/charts/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain a chart
         * @description Returns the SQL statements that a chart runs if none of its results is cached, and what they would read. With `limit`, the first statements rank the groups. The others are shown without the condition for the groups found.
         */
        post: operations["explainSeries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search rows of a source
         * @description Returns rows of a log or trace source in a time range, newest first unless `orderBy` is set. Following `cursor` returns every row once, even while new rows arrive.
         */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/row": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get one row of a source
         * @description Returns all columns of the row with this `_id`. The row is found by its content, so a link to it works until retention deletes the row or the columns of the table change.
         */
        post: operations["searchRow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count values of fields
         * @description Returns the most frequent values of fields among the rows that match in a time range, and the keys of map columns if the request names no fields.
         */
        post: operations["queryFacets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export rows of a source
         * @description Streams every row that matches as a file, in the order of a search and without `_id`. Rows with equal values and time come in any order. `X-Sightline-Row-Limit` is the maximum number of rows (1,000,000); the trailer `X-Sightline-Truncated: true` says that more rows match. In CSV, text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return gets a `'` in front. If the export fails after its first byte, the connection ends without the last chunk: the part received is not the file. An `Idempotency-Key` has no effect.
         */
        post: operations["exportRows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain a search
         * @description Returns the SQL statement that a search begins with, and what it would read. Nothing is searched.
         */
        post: operations["explainSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/traces/{traceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a trace
         * @description Returns the spans of a trace, without their attributes and events. An index from trace id to time makes a time range unnecessary.
         */
        get: operations["getTrace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/services/map": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query the map of services
         * @description Returns the services of a trace source and the calls between them: spans whose parent belongs to another service. Client spans that no service answers lead to databases, brokers and other systems. Only spans that match the conditions count.
         */
        post: operations["queryServiceMap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List data sources
         * @description Returns the data sources that charts, searches and alerts can query, in creation order.
         */
        get: operations["listSources"];
        put?: never;
        /**
         * Create a data source
         * @description Makes a table of the telemetry database available to charts, searches and alerts. Expressions are compiled before the source is saved.
         */
        post: operations["createSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tables that a source can read
         * @description Returns the tables and views of the telemetry database of the team, by name, with their columns.
         */
        get: operations["listSourceTables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/times": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the time of the newest row of each source
         * @description Tells which sources receive data. Returns the first 1000 sources of the team.
         */
        get: operations["listSourceTimes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a source without saving it
         * @description Checks that the tables exist and have the columns of every expression, and returns the newest rows. Mistakes are a 400 that names each field. Nothing is stored.
         */
        post: operations["checkSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a data source
         * @description Returns the source with its expressions.
         */
        get: operations["getSource"];
        /**
         * Update a data source
         * @description Omitted fields keep their value. Expressions are compiled before the source is saved.
         */
        put: operations["updateSource"];
        post?: never;
        /**
         * Delete a data source
         * @description Fails with 409 while a dashboard or saved search uses the source.
         */
        delete: operations["deleteSource"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/{id}/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the columns and attribute keys of a source
         * @description Includes sample values, for use in query editors.
         */
        get: operations["listSourceFields"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/{id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the metrics of a source
         * @description Returns every metric in the tables of a metric source, by name. A name that has points of several types is listed once for each.
         */
        get: operations["listMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Values of headers and query parameters, and secrets are never returned.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Alerts send their notifications to webhooks. Names are unique per service.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Values of headers and query parameters, and the secret are never returned.
         */
        get: operations["getWebhook"];
        /**
         * Update a webhook
         * @description Omitted fields keep their value. A new `url` removes the stored headers, query parameters and secret unless they are sent again.
         */
        put: operations["updateWebhook"];
        post?: never;
        /**
         * Delete a webhook
         * @description Fails with 409 while an alert uses the webhook.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample event to a webhook
         * @description Sends one sample event without retries and returns the receiver's response.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample event to a webhook that is not saved
         * @description Sends one sample event without retries and returns the receiver's response. The server stores nothing. With the `id` of a webhook, omitted fields and secrets are those of the webhook. A new `url` drops its stored headers, query parameters and secret unless they are sent again.
         */
        post: operations["testWebhookDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries to a webhook
         * @description Returns one item for each notification and webhook, newest first. The server keeps settled deliveries for a limited time (`SIGHTLINE_ALERT_DELIVERY_DAYS`).
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved-searches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved searches
         * @description Returns saved searches in creation order.
         */
        get: operations["listSavedSearches"];
        put?: never;
        /**
         * Create a saved search
         * @description Saves a condition on a source, for searches and alerts.
         */
        post: operations["createSavedSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved-searches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a saved search
         * @description Returns the saved search with its condition.
         */
        get: operations["getSavedSearch"];
        /**
         * Update a saved search
         * @description Omitted fields keep their value.
         */
        put: operations["updateSavedSearch"];
        post?: never;
        /**
         * Delete a saved search
         * @description Also deletes its alerts.
         */
        delete: operations["deleteSavedSearch"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the session of the request
         * @description Returns the user with role, scopes and ids. Without a session: 401.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in
         * @description Sets the session cookie. Every failure has the same text. After 5 failures of an account or 20 of an address within 15 minutes, the response is 429. All session operations work on the port of the web interface only. Changes by a session need the header `X-Sightline: 1` and an `Origin` of the interface.
         */
        post: operations["createSession"];
        /**
         * Sign out
         * @description Ends the session of the request and removes its cookie.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the ways to sign in
         * @description After a failed single sign-on, the sign-in page has the query parameter `error`: provider_unavailable, provider_refused, unverified_email, domain_not_allowed, expired, failed.
         */
        get: operations["getSignInOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the user's own password
         * @description Ends all other sessions of the user. Access keys stay valid.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a password with a link, and sign in
         * @description Ends the other sessions of the user and sets the session cookie. An invalid or used link: 401.
         */
        post: operations["acceptMemberLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the user's own sessions
         * @description Returns the sessions that have not ended, newest first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of the user's own sessions
         * @description Takes effect immediately.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller's team
         * @description Returns the team of the user whose access key makes the request.
         */
        get: operations["getTeam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename the team
         * @description The name of the team is also the name of its service. Takes effect immediately. Requires the role admin.
         */
        patch: operations["updateTeam"];
        trace?: never;
    };
    "/team/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of the team
         * @description Returns all members, in creation order.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Add a member
         * @description Returns a link with which the new member sets a password. Only this response contains it. Requires the role admin.
         */
        post: operations["createMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description Ends the sessions and revokes the access keys of the member. The last admin of the team cannot be removed. Requires the role admin.
         */
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        /**
         * Change the role or the name of a member
         * @description Takes effect immediately. The last admin of the team stays admin. Requires the role admin.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/team/members/{id}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new link for a member
         * @description The member sets a new password with it. Earlier links stop working. Requires the role admin.
         */
        post: operations["createMemberLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team/access-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's own API access keys
         * @description Returns the keys without their text, in creation order.
         */
        get: operations["listAccessKeys"];
        put?: never;
        /**
         * Create an API access key
         * @description Only this response contains the key.
         */
        post: operations["createAccessKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team/access-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API access key
         * @description A key cannot revoke itself.
         */
        delete: operations["deleteAccessKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team/ingestion-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the ingestion key
         * @description The audit trail records every call.
         */
        get: operations["getIngestionKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team/ingestion-key/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the ingestion key
         * @description Senders that use the old key are rejected immediately.
         */
        post: operations["rotateIngestionKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team/ingestion-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the ports that receive telemetry
         * @description Ports of the server. A proxy or a load balancer in front of it may have other ports. A port is unknown if another process receives telemetry on any free port.
         */
        get: operations["getIngestionEndpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the health of the server and of the work for the team
         * @description Late and broken alerts, waiting notifications, failing pipes and received telemetry of the team. Admins also get the processes of the server and its telemetry engines. A part that does not respond is named in its place.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/demo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the demo shop
         * @description The shop ends with the process that runs it. Its objects stay.
         */
        get: operations["getDemo"];
        put?: never;
        /**
         * Start the demo shop
         * @description A simulated shop sends logs, traces and metrics to the team, the last half hour first. The server makes a dashboard, an alert and a webhook that show it, unless they exist. If the shop runs already, it goes on. Requires the role admin.
         */
        post: operations["startDemo"];
        /**
         * Stop the demo shop
         * @description The telemetry that it has sent stays. If it does not run, nothing stops. Requires the role admin.
         */
        delete: operations["stopDemo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Personal API access key of the caller.
         * @example {
         *       "id": "65f0c1d2e3a4b5c6d7e8f907",
         *       "name": "deploy script",
         *       "keySuffix": "x7Qd",
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "usedAt": "2026-03-14T09:30:00.000Z"
         *     }
         */
        AccessKey: {
            id: components["schemas"]["ObjectId"];
            /** @description Name of the key. */
            name: string;
            /** @description Last four characters of the key, to identify it. */
            keySuffix: string;
            createdAt: components["schemas"]["Timestamp"];
            /** @description Time of last use, rounded to the minute. Absent if the key was never used. */
            usedAt?: components["schemas"]["Timestamp"];
        };
        AccessKeyInput: {
            /** @description Name of the key (1–255 characters). */
            name: string;
        };
        AcknowledgeInput: {
            /** @description Note for others (at most 1024 characters). */
            note?: string | null;
            /** @description Values of `groupBy` of the group to acknowledge, in the same order. If absent, every group that fires is acknowledged. */
            group?: string[] | null;
        };
        Acknowledgement: {
            /** @description Id of the incident, the same as in its notifications. */
            incidentId: string;
            /** @description Values of `groupBy`, in the same order. Empty without groups. */
            group: string[];
            /** @description User or key that acknowledged the incident. */
            by: components["schemas"]["AcknowledgementBy"];
            at: components["schemas"]["Timestamp"];
            /** @description Note; absent if there is none. */
            note?: string;
        };
        AcknowledgementBy: {
            /** @enum {string} */
            kind: "user" | "key" | "system";
            /** @description Id of the user or key. */
            id: string;
            /** @description E-mail address of the user or name of the key at that time. */
            name?: string;
        };
        /**
         * @example {
         *       "acknowledgements": [
         *         {
         *           "incidentId": "inc_91ab1d2e3a4b5c6d7e8f90a1b2c3d4e5",
         *           "group": [],
         *           "by": {
         *             "kind": "user",
         *             "id": "65f0c1d2e3a4b5c6d7e8f906",
         *             "name": "ada@example.com"
         *           },
         *           "at": "2026-03-14T09:31:00.000Z",
         *           "note": "Restarting the payment service"
         *         }
         *       ]
         *     }
         */
        Acknowledgements: {
            /** @description Acknowledged incidents of the alert that have not ended. */
            acknowledgements: components["schemas"]["Acknowledgement"][];
        };
        /** @enum {string} */
        AggregateFunction: "avg" | "count" | "count_distinct" | "last_value" | "max" | "min" | "quantile" | "sum";
        /**
         * @example {
         *       "id": "65f0c1d2e3a4b5c6d7e8f903",
         *       "name": "Checkout errors",
         *       "threshold": 10,
         *       "interval": "5m",
         *       "thresholdType": "above",
         *       "source": "search",
         *       "state": "firing",
         *       "channel": {
         *         "type": "webhook",
         *         "webhookId": "65f0c1d2e3a4b5c6d7e8f902"
         *       },
         *       "team": "65f0c1d2e3a4b5c6d7e8f900",
         *       "savedSearch": "65f0c1d2e3a4b5c6d7e8f901",
         *       "silenced": false,
         *       "lastEvaluatedAt": "2026-03-14T09:30:05.000Z",
         *       "lastValue": 12,
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "updatedAt": "2026-03-14T09:26:53.589Z"
         *     }
         */
        Alert: {
            id: components["schemas"]["ObjectId"];
            /** @description Name; absent if it has none. */
            name?: string;
            /** @description Text that notifications contain; absent if it has none. */
            message?: string;
            /**
             * Format: double
             * @description Threshold that the value is compared with.
             */
            threshold: number;
            /**
             * Format: double
             * @description Upper end of the range for `between` and `not_between`.
             */
            thresholdMax?: number;
            interval: components["schemas"]["Duration"];
            thresholdType: components["schemas"]["ThresholdType"];
            source: components["schemas"]["AlertSource"];
            state: components["schemas"]["AlertState"];
            channel: components["schemas"]["AlertChannelResult"];
            /** @description Additional channels. */
            channels?: components["schemas"]["AlertChannelResult"][];
            team: components["schemas"]["ObjectId"];
            tileId?: components["schemas"]["ObjectId"];
            dashboard?: components["schemas"]["ObjectId"];
            savedSearch?: components["schemas"]["ObjectId"];
            /** @description Columns or expressions to group by, comma-separated. */
            groupBy?: string;
            /** @description True if the alert is silenced now. */
            silenced: boolean;
            silencedUntil?: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description Number of consecutive breaching windows before the alert fires.
             */
            numConsecutiveWindows?: number;
            renotifyInterval?: components["schemas"]["Duration"];
            noData?: components["schemas"]["NoData"];
            severity?: components["schemas"]["AlertSeverity"];
            /** @description Errors that prevent evaluation or delivery; absent if there are none. */
            executionErrors?: components["schemas"]["ExecutionError"][];
            lastEvaluatedAt?: components["schemas"]["Timestamp"];
            /**
             * Format: double
             * @description Value of the last evaluation; absent if it had none.
             */
            lastValue?: number;
            /** @description Tags; absent if there are none. */
            tags?: string[];
            /** @description Acknowledged incidents that have not ended; absent if there are none. */
            acknowledgements?: components["schemas"]["Acknowledgement"][];
            /** @description Last evaluations, newest first. Only in lists that ask for `recent`. */
            recent?: components["schemas"]["RecentEvaluation"][];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        /** @description Omitted fields keep their value; `null` clears an optional field. The update does not change the alert's state or history. */
        AlertChange: {
            /**
             * Format: double
             * @description Threshold that the value is compared with.
             */
            threshold?: number;
            /** @description Length of the evaluation window and interval between evaluations (1m–7d). */
            interval?: components["schemas"]["Duration"];
            source?: components["schemas"]["AlertSourceInput"];
            thresholdType?: components["schemas"]["ThresholdType"];
            channel?: components["schemas"]["AlertChannel"];
            /** @description Id of the dashboard. Required if `source` is `tile`. */
            dashboardId?: components["schemas"]["ObjectId"] | null;
            /** @description Id of a tile of the dashboard. Required if `source` is `tile`. */
            tileId?: components["schemas"]["ObjectId"] | null;
            /** @description Id of the saved search. Required if `source` is `search`. */
            savedSearchId?: components["schemas"]["ObjectId"] | null;
            /** @description Name (at most 512 characters). */
            name?: string | null;
            /** @description Text that notifications contain (at most 4096 characters). */
            message?: string | null;
            /** @description Columns or expressions to group by, comma-separated. Each group has its own state. */
            groupBy?: string | null;
            /** @description Upper end of the range for `between` and `not_between`. */
            thresholdMax?: number | null;
            /** @description Number of consecutive breaching windows before the alert fires (1–1000, default 1). */
            numConsecutiveWindows?: number | null;
            /** @description Interval between reminders while the alert fires (1m–7d). If absent, only state changes notify. */
            renotifyInterval?: components["schemas"]["Duration"] | null;
            /** @description Treatment of a window without data. `null` sets the default, `zero`. */
            noData?: components["schemas"]["NoData"] | null;
            /** @description Severity that notifications carry. `null` sets the default, `critical`. PagerDuty receives it as its severity. */
            severity?: components["schemas"]["AlertSeverity"] | null;
            /** @description Not supported: only `0` and `null` are accepted. */
            scheduleOffsetMinutes?: number | null;
            /** @description Not supported: only `null` and the empty text are accepted. */
            scheduleStartAt?: string | null;
            /** @description Time until which the alert is evaluated but sends no notifications. */
            silencedUntil?: components["schemas"]["Timestamp"] | null;
            /** @description Additional channels (1–10). Each webhook is notified once. */
            channels?: components["schemas"]["AlertChannel"][] | null;
            /** @description Tags (at most 50, each 1–32 characters without a comma). */
            tags?: string[] | null;
        };
        /** @description Webhook that receives the notifications. */
        AlertChannel: {
            /** @constant */
            type: "webhook";
            webhookId: components["schemas"]["ObjectId"];
        };
        /** @description Webhook that receives the notifications. */
        AlertChannelResult: {
            /** @constant */
            type: "webhook";
            webhookId: components["schemas"]["ObjectId"];
        };
        /**
         * @example {
         *       "windowStart": "2026-03-14T09:25:00.000Z",
         *       "windowEnd": "2026-03-14T09:30:00.000Z",
         *       "evaluatedAt": "2026-03-14T09:30:05.000Z",
         *       "state": "firing",
         *       "value": 12,
         *       "reason": "breached",
         *       "durationMs": 8.4,
         *       "rowsRead": 24576
         *     }
         */
        AlertEvaluation: {
            windowStart: components["schemas"]["Timestamp"];
            /** @description End of the window, exclusive. */
            windowEnd: components["schemas"]["Timestamp"];
            evaluatedAt: components["schemas"]["Timestamp"];
            /** @description Most severe state of all groups. */
            state: components["schemas"]["AlertState"];
            /** @description Value that determined the state; `null` if the window has no data or the result is not a number. */
            value: number | null;
            /** @description Reason for the state change: breached, breached_repeatedly, recovered, no_data, group_gone or group_by_changed. `skipped` for windows that were not evaluated; `null` if the state did not change. */
            reason: string | null;
            /**
             * Format: double
             * @description Duration of the query in milliseconds. The query may serve several alerts.
             */
            durationMs: number;
            /**
             * Format: int64
             * @description This alert's share of the rows that the query read.
             */
            rowsRead: number;
            /** @description Result of each group; absent for an alert without groups. */
            groups?: components["schemas"]["EvaluatedGroup"][];
            /**
             * Format: int64
             * @description Number of windows between windowStart and windowEnd that were not evaluated because the evaluation was interrupted for too long.
             */
            skipped?: number;
        };
        /**
         * @example {
         *       "windowStart": "2026-03-14T09:25:00.000Z",
         *       "windowEnd": "2026-03-14T09:30:00.000Z",
         *       "group": [],
         *       "verdict": "muted",
         *       "reason": "fired",
         *       "steps": [
         *         {
         *           "step": "threshold",
         *           "outcome": "passed",
         *           "text": "The value 12 breaches the threshold (at or above 10)."
         *         },
         *         {
         *           "step": "silence",
         *           "outcome": "stopped",
         *           "text": "The alert was silenced."
         *         }
         *       ],
         *       "deliveries": []
         *     }
         */
        AlertExplanation: {
            windowStart?: components["schemas"]["Timestamp"];
            windowEnd?: components["schemas"]["Timestamp"];
            /** @description Values of `groupBy`, in the same order. Empty without groups. */
            group: string[];
            verdict: components["schemas"]["ExplainVerdict"];
            /** @description Reason of the notification that was due; absent if none was. */
            reason?: components["schemas"]["NotificationReason"];
            /** @description From the rows to the receivers, in the order of the evaluation. */
            steps: components["schemas"]["ExplainStep"][];
            /** @description Deliveries of the notification, if the server still keeps them. */
            deliveries: components["schemas"]["Delivery"][];
        };
        AlertInput: {
            /**
             * Format: double
             * @description Threshold that the value is compared with.
             */
            threshold: number;
            /** @description Length of the evaluation window and interval between evaluations (1m–7d). */
            interval: components["schemas"]["Duration"];
            source: components["schemas"]["AlertSourceInput"];
            thresholdType: components["schemas"]["ThresholdType"];
            channel: components["schemas"]["AlertChannel"];
            /** @description Id of the dashboard. Required if `source` is `tile`. */
            dashboardId?: components["schemas"]["ObjectId"] | null;
            /** @description Id of a tile of the dashboard. Required if `source` is `tile`. */
            tileId?: components["schemas"]["ObjectId"] | null;
            /** @description Id of the saved search. Required if `source` is `search`. */
            savedSearchId?: components["schemas"]["ObjectId"] | null;
            /** @description Name (at most 512 characters). */
            name?: string | null;
            /** @description Text that notifications contain (at most 4096 characters). */
            message?: string | null;
            /** @description Columns or expressions to group by, comma-separated. Each group has its own state. */
            groupBy?: string | null;
            /** @description Upper end of the range for `between` and `not_between`. */
            thresholdMax?: number | null;
            /** @description Number of consecutive breaching windows before the alert fires (1–1000, default 1). */
            numConsecutiveWindows?: number | null;
            /** @description Interval between reminders while the alert fires (1m–7d). If absent, only state changes notify. */
            renotifyInterval?: components["schemas"]["Duration"] | null;
            /** @description Treatment of a window without data. `null` sets the default, `zero`. */
            noData?: components["schemas"]["NoData"] | null;
            /** @description Severity that notifications carry. `null` sets the default, `critical`. PagerDuty receives it as its severity. */
            severity?: components["schemas"]["AlertSeverity"] | null;
            /** @description Not supported: only `0` and `null` are accepted. */
            scheduleOffsetMinutes?: number | null;
            /** @description Not supported: only `null` and the empty text are accepted. */
            scheduleStartAt?: string | null;
            /** @description Time until which the alert is evaluated but sends no notifications. */
            silencedUntil?: components["schemas"]["Timestamp"] | null;
            /** @description Additional channels (1–10). Each webhook is notified once. */
            channels?: components["schemas"]["AlertChannel"][] | null;
            /** @description Tags (at most 50, each 1–32 characters without a comma). */
            tags?: string[] | null;
        };
        /**
         * @example {
         *       "windows": [
         *         {
         *           "windowStart": "2026-03-14T09:25:00.000Z",
         *           "windowEnd": "2026-03-14T09:30:00.000Z",
         *           "state": "firing",
         *           "value": 12,
         *           "reason": "breached"
         *         }
         *       ],
         *       "notifications": [
         *         {
         *           "windowEnd": "2026-03-14T09:30:00.000Z",
         *           "state": "firing",
         *           "reason": "breached",
         *           "group": [],
         *           "value": 12,
         *           "title": "Checkout errors is firing"
         *         }
         *       ],
         *       "state": "firing"
         *     }
         */
        AlertPreview: {
            /** @description Evaluated windows, oldest first. */
            windows: components["schemas"]["AlertPreviewWindowsItem"][];
            /** @description Notifications that the alert would have sent. */
            notifications: components["schemas"]["AlertPreviewNotificationsItem"][];
            /** @description State after the last window. */
            state: components["schemas"]["AlertState"];
        };
        AlertPreviewInput: {
            /**
             * Format: double
             * @description Threshold that the value is compared with.
             */
            threshold: number;
            /** @description Length of the evaluation window and interval between evaluations (1m–7d). */
            interval: components["schemas"]["Duration"];
            source: components["schemas"]["AlertSourceInput"];
            thresholdType: components["schemas"]["ThresholdType"];
            channel?: components["schemas"]["AlertChannel"];
            /** @description Id of the dashboard. Required if `source` is `tile`. */
            dashboardId?: components["schemas"]["ObjectId"] | null;
            /** @description Id of a tile of the dashboard. Required if `source` is `tile`. */
            tileId?: components["schemas"]["ObjectId"] | null;
            /** @description Id of the saved search. Required if `source` is `search`. */
            savedSearchId?: components["schemas"]["ObjectId"] | null;
            /** @description Name (at most 512 characters). */
            name?: string | null;
            /** @description Text that notifications contain (at most 4096 characters). */
            message?: string | null;
            /** @description Columns or expressions to group by, comma-separated. Each group has its own state. */
            groupBy?: string | null;
            /** @description Upper end of the range for `between` and `not_between`. */
            thresholdMax?: number | null;
            /** @description Number of consecutive breaching windows before the alert fires (1–1000, default 1). */
            numConsecutiveWindows?: number | null;
            /** @description Interval between reminders while the alert fires (1m–7d). If absent, only state changes notify. */
            renotifyInterval?: components["schemas"]["Duration"] | null;
            /** @description Treatment of a window without data. `null` sets the default, `zero`. */
            noData?: components["schemas"]["NoData"] | null;
            /** @description Severity that notifications carry. `null` sets the default, `critical`. PagerDuty receives it as its severity. */
            severity?: components["schemas"]["AlertSeverity"] | null;
            /** @description Not supported: only `0` and `null` are accepted. */
            scheduleOffsetMinutes?: number | null;
            /** @description Not supported: only `null` and the empty text are accepted. */
            scheduleStartAt?: string | null;
            /** @description Time until which the alert is evaluated but sends no notifications. */
            silencedUntil?: components["schemas"]["Timestamp"] | null;
            /** @description Additional channels (1–10). Each webhook is notified once. */
            channels?: components["schemas"]["AlertChannel"][] | null;
            /** @description Tags (at most 50, each 1–32 characters without a comma). */
            tags?: string[] | null;
            /**
             * @description Number of most recent complete windows to evaluate (1–500, default 50).
             * @default 50
             */
            windows: number;
        };
        AlertPreviewNotificationsItem: {
            windowEnd: components["schemas"]["Timestamp"];
            /**
             * @description State that the notification reports.
             * @enum {string}
             */
            state: "firing" | "inactive";
            /** @description Reason for the notification. */
            reason: string;
            /** @description Values of `groupBy`, in the same order. */
            group: string[];
            /** @description Value of the window; `null` if it has no data or the result is not a number. */
            value: number | null;
            /** @description One-line summary of the notification. */
            title: string;
        };
        AlertPreviewWindowsItem: {
            windowStart: components["schemas"]["Timestamp"];
            /** @description End of the window, exclusive. */
            windowEnd: components["schemas"]["Timestamp"];
            /** @description Most severe state of all groups. */
            state: components["schemas"]["AlertState"];
            /** @description Value that determined the state; `null` if the window has no data or the result is not a number. */
            value: number | null;
            /** @description Reason for the state change: breached, breached_repeatedly, recovered, no_data, group_gone or group_by_changed. `skipped` for windows that were not evaluated; `null` if the state did not change. */
            reason: string | null;
            /** @description Result of each group; absent for an alert without groups. */
            groups?: components["schemas"]["EvaluatedGroup"][];
        };
        /**
         * @description Severity that notifications carry (default `critical`).
         * @enum {string}
         */
        AlertSeverity: "critical" | "error" | "warning" | "info";
        /**
         * @description Object that the alert evaluates: a dashboard tile or a saved search.
         * @enum {string}
         */
        AlertSource: "tile" | "search";
        /** @enum {string} */
        AlertSourceInput: "tile" | "search" | "saved_search";
        /** @description Evaluation of the alerts of the team. */
        AlertsStatus: {
            /**
             * Format: int64
             * @description Number of alerts.
             */
            total: number;
            /**
             * Format: int64
             * @description Number of alerts whose evaluation is due for more than 1 minute.
             */
            lateCount: number;
            /** @description The 20 latest alerts, the latest first. */
            late: components["schemas"]["AlertsStatusLateItem"][];
            /**
             * Format: int64
             * @description Number of alerts with errors.
             */
            brokenCount: number;
            /** @description Alerts that cannot be evaluated, or whose notifications fail (at most 20, the oldest error first). */
            broken: components["schemas"]["AlertsStatusBrokenItem"][];
        };
        AlertsStatusBrokenItem: {
            id: components["schemas"]["ObjectId"];
            /** @description Name of the alert; empty if it has none. */
            name: string;
            /**
             * @description Kind of the error.
             * @enum {string}
             */
            type: "QUERY_ERROR" | "QUERY_TIMEOUT" | "WEBHOOK_ERROR" | "INVALID_ALERT" | "TOO_MANY_GROUPS";
            /** @description First error, and the action to take. */
            message: string;
            since: components["schemas"]["Timestamp"];
        };
        AlertsStatusLateItem: {
            id: components["schemas"]["ObjectId"];
            /** @description Name of the alert; empty if it has none. */
            name: string;
            /**
             * Format: double
             * @description Time since the evaluation was due.
             */
            lateSeconds: number;
        };
        /**
         * @description `inactive`: new, or the condition does not hold. `pending`: the condition holds, but not yet for enough windows. `firing`: the condition holds for enough windows.
         * @enum {string}
         */
        AlertState: "inactive" | "pending" | "firing";
        BatchedRequest: components["schemas"]["BatchSeries"] | components["schemas"]["BatchTotals"];
        /**
         * @example {
         *       "type": "series",
         *       "points": [
         *         {
         *           "ts_bucket": 1767225600000,
         *           "series_0.data": 42
         *         }
         *       ]
         *     }
         */
        BatchedResult: components["schemas"]["BatchPoints"] | components["schemas"]["BatchedTotals"] | components["schemas"]["BatchFault"];
        BatchedTotals: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "totals";
            totals: components["schemas"]["TotalsResult"];
        };
        BatchError: {
            /** @description What failed, why, and what to do. */
            message: string;
            /**
             * @description Code of the error.
             * @enum {string}
             */
            code: "bad_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable" | "timeout";
            /** @description Every invalid field. */
            errors?: components["schemas"]["BatchFieldError"][];
        };
        BatchFault: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "error";
            error: components["schemas"]["BatchError"];
        };
        BatchFieldError: {
            /** @description Path in the request, such as `series.0.where`. */
            path: string;
            /** @description What is wrong there. */
            message: string;
        };
        BatchPoints: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "series";
            /** @description As of `POST /charts/series`. */
            points: components["schemas"]["DataPoint"][];
        };
        BatchRequest: {
            /** @description Requests, such as those of one dashboard (1–100). */
            requests: components["schemas"]["BatchedRequest"][];
        };
        /** @description A request as of `POST /charts/series`. */
        BatchSeries: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "series";
            /** @description Series to return (1–5). */
            series: components["schemas"]["ChartSeries"][];
            startTime: components["schemas"]["EpochMs"];
            /** @description End of the range, exclusive. */
            endTime: components["schemas"]["EpochMs"];
            /**
             * @description `column` returns each series. `ratio` requires exactly two series and returns the first divided by the second.
             * @default column
             * @enum {string}
             */
            seriesReturnType: "column" | "ratio";
            /** @default auto */
            granularity: components["schemas"]["Granularity"];
            /** @description Maximum number of groups (1–100): those with the greatest value of the first series over the whole range. Default: every group. */
            limit?: number;
            /**
             * @description Whether to return the groups beyond `limit` together (default true).
             * @default true
             */
            other: boolean;
        };
        /** @description A request as of `POST /charts/totals`. */
        BatchTotals: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "totals";
            /** @description Series to return (1–5). */
            series: components["schemas"]["ChartSeries"][];
            startTime: components["schemas"]["EpochMs"];
            /** @description End of the range, exclusive. */
            endTime: components["schemas"]["EpochMs"];
            /**
             * @description `column` returns each series. `ratio` requires exactly two series and returns the first divided by the second.
             * @default column
             * @enum {string}
             */
            seriesReturnType: "column" | "ratio";
            /**
             * @default {
             *       "series": 0,
             *       "direction": "desc"
             *     }
             */
            orderBy: components["schemas"]["TotalsOrder"];
            /**
             * @description Maximum number of groups to return (1–1000, default 100).
             * @default 100
             */
            limit: number;
            /**
             * @description Whether to return the groups beyond `limit` together (default true).
             * @default true
             */
            other: boolean;
        };
        ChartRequest: {
            /** @description Series to return (1–5). */
            series: components["schemas"]["ChartSeries"][];
            startTime: components["schemas"]["EpochMs"];
            /** @description End of the range, exclusive. */
            endTime: components["schemas"]["EpochMs"];
            /**
             * @description `column` returns each series. `ratio` requires exactly two series and returns the first divided by the second.
             * @default column
             * @enum {string}
             */
            seriesReturnType: "column" | "ratio";
            /** @default auto */
            granularity: components["schemas"]["Granularity"];
            /** @description Maximum number of groups (1–100): those with the greatest value of the first series over the whole range. Default: every group. */
            limit?: number;
            /**
             * @description Whether to return the groups beyond `limit` together (default true).
             * @default true
             */
            other: boolean;
        };
        ChartSeries: {
            sourceId: components["schemas"]["ObjectId"];
            aggFn: components["schemas"]["AggregateFunction"];
            /**
             * @description Condition that rows must match; empty matches all rows.
             * @default
             */
            where: string;
            /** @default lucene */
            whereLanguage: components["schemas"]["WhereLanguage"];
            /**
             * @description Additional conditions (at most 50, default none). A row must match `where` and every filter.
             * @default []
             */
            filters: components["schemas"]["Filter"][];
            /**
             * @description Columns, map keys (`Map.key.with.dots`) or expressions to group by. Every series must have the same list.
             * @default []
             */
            groupBy: string[];
            /** @description Column, map key or expression to aggregate. Required for every function except `count`. */
            field?: string;
            /**
             * Format: double
             * @description Quantile level (0–1, default 0.5).
             */
            level?: number;
            /** @description Name of the metric (1–1024 characters). Required for a metric source, except with `count`. */
            metricName?: string;
            /** @description Metric type, which selects the table of a metric source (default `gauge`). */
            metricDataType?: components["schemas"]["MetricDataType"];
        };
        /**
         * @description A condition in the language that `type` names.
         * @example {
         *       "type": "lucene",
         *       "condition": "SeverityText:error"
         *     }
         */
        ConditionFilter: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "lucene" | "sql";
            /** @description Condition in the language of `type` (1–8192 characters). */
            condition: string;
        };
        /**
         * @description A condition in the language that `type` names.
         * @example {
         *       "type": "lucene",
         *       "condition": "SeverityText:error"
         *     }
         */
        ConditionFilterResult: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "lucene" | "sql";
            /** @description Condition in the language of `type` (1–8192 characters). */
            condition: string;
        };
        /**
         * @example {
         *       "id": "65f0c1d2e3a4b5c6d7e8f904",
         *       "name": "Checkout",
         *       "tags": [
         *         "shop"
         *       ],
         *       "filters": [],
         *       "savedQuery": "",
         *       "savedQueryLanguage": "lucene",
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "updatedAt": "2026-03-14T09:26:53.589Z",
         *       "tiles": [
         *         {
         *           "id": "65f0c1d2e3a4b5c6d7e8f905",
         *           "name": "Errors",
         *           "x": 0,
         *           "y": 0,
         *           "w": 12,
         *           "h": 4,
         *           "config": {
         *             "displayType": "line",
         *             "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
         *             "select": [
         *               {
         *                 "aggFn": "count",
         *                 "where": "SeverityText:error"
         *               }
         *             ],
         *             "groupBy": "ServiceName"
         *           }
         *         }
         *       ]
         *     }
         */
        Dashboard: {
            id: components["schemas"]["ObjectId"];
            /** @description Name. */
            name: string;
            /** @description Tiles of the dashboard. */
            tiles: components["schemas"]["Tile"][];
            /** @description Tags. */
            tags: string[];
            /** @description Filters that a viewer can set. */
            filters: components["schemas"]["DashboardFilterResult"][];
            /** @description Condition that applies to every tile; empty if there is none. */
            savedQuery: string;
            savedQueryLanguage: components["schemas"]["WhereLanguage"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        /** @description Each field in the request replaces the stored field as a whole; omitted fields keep their value. Removing a tile deletes its alerts. */
        DashboardChange: {
            /** @description Name (1–1024 characters). */
            name?: string;
            /** @description Tiles (at most 500). */
            tiles?: components["schemas"]["TileInput"][];
            /** @description Tags (at most 50, each 1–32 characters). */
            tags?: string[];
            /** @description Filters that a viewer can set (at most 50). */
            filters?: components["schemas"]["DashboardFilter"][];
            savedQuery?: string | null;
            /** @description Language of `savedQuery`. */
            savedQueryLanguage?: components["schemas"]["WhereLanguage"] | null;
        };
        DashboardFilter: {
            /** @description Id of the filter (1–64 characters). */
            id?: string;
            /** @constant */
            type?: "QUERY_EXPRESSION";
            /** @description Label of the filter (1–255 characters). */
            name: string;
            /** @description Column or expression whose values the filter offers. */
            expression: string;
            sourceId: components["schemas"]["ObjectId"];
            /** @description Language of the conditions that the filter adds. Stored and returned. */
            whereLanguage?: components["schemas"]["WhereLanguage"];
        };
        DashboardFilterResult: {
            /** @description Id of the filter (1–64 characters). */
            id?: string;
            /** @constant */
            type?: "QUERY_EXPRESSION";
            /** @description Label of the filter (1–255 characters). */
            name: string;
            /** @description Column or expression whose values the filter offers. */
            expression: string;
            sourceId: components["schemas"]["ObjectId"];
            /** @description Language of the conditions that the filter adds. Stored and returned. */
            whereLanguage?: components["schemas"]["WhereLanguage"];
        };
        DashboardInput: {
            /** @description Name (1–1024 characters). */
            name: string;
            /**
             * @description Tiles (at most 500, default none).
             * @default []
             */
            tiles: components["schemas"]["TileInput"][];
            /**
             * @description Tags (at most 50, each 1–32 characters, default none).
             * @default []
             */
            tags: string[];
            /**
             * @description Filters that a viewer can set (at most 50, default none).
             * @default []
             */
            filters: components["schemas"]["DashboardFilter"][];
            savedQuery?: string | null;
            /** @description Language of `savedQuery` (default `lucene`). */
            savedQueryLanguage?: components["schemas"]["WhereLanguage"] | null;
        };
        /**
         * @example {
         *       "id": "65f0c1d2e3a4b5c6d7e8f904",
         *       "name": "Checkout",
         *       "tags": [
         *         "shop"
         *       ],
         *       "tileCount": 12,
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "updatedAt": "2026-03-14T09:26:53.589Z"
         *     }
         */
        DashboardSummary: {
            id: components["schemas"]["ObjectId"];
            /** @description Name. */
            name: string;
            /** @description Tags. */
            tags: string[];
            /**
             * Format: int64
             * @description Number of tiles.
             */
            tileCount: number;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "ts_bucket": 1767225600000,
         *       "series_0.data": 42
         *     }
         */
        DataPoint: {
            /**
             * Format: double
             * @description Start of the bucket, in milliseconds since the Unix epoch.
             */
            ts_bucket: number;
            /** @description Values of `groupBy`, in the same order; empty for the groups beyond `limit`. */
            group?: string[];
            /** @description `true` on the point of all groups beyond `limit`, else absent. */
            other?: boolean;
        } & {
            [key: string]: unknown | (number | null);
        };
        Delivery: {
            /** @description Id of the event, the same as in the `webhook-id` header. */
            eventId: string;
            alertId: components["schemas"]["ObjectId"];
            webhookId: components["schemas"]["ObjectId"];
            type: components["schemas"]["WebhookEventType"];
            reason: components["schemas"]["NotificationReason"];
            /** @description One-line summary of the notification. */
            title: string;
            /** @description The firing event, its reminders and its resolution share it. */
            incidentId: string;
            /** @description Values of `groupBy`, in the same order. Empty without groups. */
            group: string[];
            /** @description End of the window that caused the notification. */
            windowEnd: components["schemas"]["Timestamp"];
            createdAt: components["schemas"]["Timestamp"];
            status: components["schemas"]["DeliveryStatus"];
            /**
             * Format: int64
             * @description Number of attempts so far (0–8).
             */
            attemptCount: number;
            /** @description Attempts, oldest first. Earlier versions of the server did not record them. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** @description Earliest time of the next attempt; absent unless the delivery is pending. */
            nextAttemptAt?: components["schemas"]["Timestamp"];
            /** @description Time at which the delivery succeeded or failed; absent while it is pending. */
            settledAt?: components["schemas"]["Timestamp"];
            /** @description Result of the last attempt; absent after success. */
            error?: string;
        };
        DeliveryAttempt: {
            /** @description Time at which the server sent the request. */
            at: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description HTTP status of the response; absent if the receiver did not respond.
             */
            status?: number;
            /**
             * Format: double
             * @description Duration of the request, in milliseconds.
             */
            elapsedMs: number;
            /** @description Beginning of the response body (at most 512 characters). Secrets of the webhook are replaced by `***`. Absent if it is empty. */
            body?: string;
            /** @description Reason for a failed attempt; absent if it succeeded. */
            error?: string;
        };
        /**
         * @example {
         *       "deliveries": [
         *         {
         *           "eventId": "evt_5f0c1d2e3a4b5c6d7e8f90a1b2c3d4e5",
         *           "alertId": "65f0c1d2e3a4b5c6d7e8f903",
         *           "webhookId": "65f0c1d2e3a4b5c6d7e8f902",
         *           "type": "alert.firing",
         *           "reason": "fired",
         *           "title": "Checkout errors is firing",
         *           "incidentId": "inc_91ab1d2e3a4b5c6d7e8f90a1b2c3d4e5",
         *           "group": [],
         *           "windowEnd": "2026-03-14T09:30:00.000Z",
         *           "createdAt": "2026-03-14T09:30:05.000Z",
         *           "status": "delivered",
         *           "attemptCount": 1,
         *           "attempts": [
         *             {
         *               "at": "2026-03-14T09:30:05.000Z",
         *               "status": 200,
         *               "elapsedMs": 41,
         *               "body": "{\"ok\":true}"
         *             }
         *           ],
         *           "settledAt": "2026-03-14T09:30:05.100Z"
         *         }
         *       ]
         *     }
         */
        DeliveryPage: {
            /** @description Deliveries, newest first. */
            deliveries: components["schemas"]["Delivery"][];
            /** @description Cursor to request the next page; absent on the last page. */
            cursor?: string;
        };
        /**
         * @description `pending`: waits for its first attempt, a retry, or an earlier notification of the same alert. `delivered`: the receiver responded with a 2xx status. `failed`: the server gave up.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "delivered" | "failed";
        /**
         * @example {
         *       "state": "running",
         *       "startedAt": "2026-03-14T09:26:53.589Z",
         *       "objects": [
         *         {
         *           "kind": "dashboard",
         *           "id": "65f0c1d2e3a4b5c6d7e8f900",
         *           "name": "Shop (demo)"
         *         }
         *       ],
         *       "notifications": {
         *         "count": 2,
         *         "lastAt": "2026-03-14T09:32:00.000Z"
         *       }
         *     }
         */
        Demo: {
            /**
             * @description `running`: the shop sends telemetry. `stopped`: it does not. `unavailable`: the process that answers cannot run it, because it does not receive telemetry or shares its store with other processes.
             * @enum {string}
             */
            state: "running" | "stopped" | "unavailable";
            /** @description Time of the start. Absent if the shop does not run. */
            startedAt?: components["schemas"]["Timestamp"];
            /** @description Objects that a start made and that still exist. */
            objects: components["schemas"]["DemoObject"][];
            /** @description Notifications that the webhook of the shop delivered. */
            notifications: components["schemas"]["DemoNotifications"];
        };
        DemoNotifications: {
            /**
             * Format: int64
             * @description Number of notifications since the start of the server.
             */
            count: number;
            /** @description Time of the last notification. Absent without one. */
            lastAt?: components["schemas"]["Timestamp"];
        };
        /**
         * @description Object that the demo shop made.
         * @example {
         *       "kind": "dashboard",
         *       "id": "65f0c1d2e3a4b5c6d7e8f900",
         *       "name": "Shop (demo)"
         *     }
         */
        DemoObject: {
            /**
             * @description Kind of the object.
             * @enum {string}
             */
            kind: "dashboard" | "webhook" | "alert";
            id: components["schemas"]["ObjectId"];
            /** @description Name of the object. */
            name: string;
        };
        /** @example 5m */
        Duration: string;
        /** @description A telemetry engine: one for each shard of a cluster. */
        EngineStatus: {
            /** @description Shard of the ClickHouse cluster, `host:port`. Absent without a cluster. */
            shard?: string;
            /** @description Local disks. Absent if the engine did not tell. */
            disks?: components["schemas"]["EngineStatusDisksItem"][];
            /** @description Memory. Absent if the engine did not tell. */
            memory?: components["schemas"]["EngineStatusMemory"];
            /** @description Parts of tables. Absent if the engine did not tell. */
            parts?: components["schemas"]["EngineStatusParts"];
            /** @description Why figures are absent, and the action to take. Empty if none is. */
            errors: string[];
        };
        EngineStatusDisksItem: {
            /** @description Name of the disk in the engine. */
            name: string;
            /**
             * Format: double
             * @description Free space.
             */
            freeBytes: number;
            /**
             * Format: double
             * @description Size.
             */
            totalBytes: number;
        };
        EngineStatusMemory: {
            /**
             * Format: double
             * @description Memory in use.
             */
            usedBytes: number;
            /**
             * Format: double
             * @description Limit. Absent if there is none.
             */
            limitBytes?: number;
        };
        EngineStatusParts: {
            /**
             * Format: int64
             * @description Number of parts, of all tables.
             */
            active: number;
            /**
             * Format: int64
             * @description Number of parts of the partition that has most. The engine delays inserts at 1000.
             */
            mostInPartition: number;
            /**
             * Format: int64
             * @description Number of parts that the engine cannot read. Queries do not see their rows.
             */
            broken: number;
            /**
             * Format: int64
             * @description Number of other parts that were set aside.
             */
            detached: number;
        };
        /**
         * Format: int64
         * @example 1767225600000
         */
        EpochMs: number;
        Error: {
            /** @description What failed, why, and what to do. */
            message: string;
            /**
             * @description Code of the error.
             * @enum {string}
             */
            code: "bad_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable" | "timeout";
            /**
             * Format: uuid
             * @description Id of the request, the same as in the `X-Request-Id` header.
             */
            requestId: string;
            /** @description Invalid fields of the request (at most 100). Present only if the status is 400. */
            errors?: components["schemas"]["FieldError"][];
            /** @description Same text as `message`. Only under /charts. */
            error?: string;
        };
        EvaluatedGroup: {
            /** @description Values of `groupBy`, in the same order. */
            group: string[];
            /** @description Value of the window; `null` if it has no data or the result is not a number. */
            value: number | null;
            state: components["schemas"]["AlertState"];
            /** @description Reason for the state change; `null` if the state did not change. */
            reason: string | null;
        };
        ExecutionError: {
            /**
             * @description Kind of the error.
             * @enum {string}
             */
            type: "QUERY_ERROR" | "QUERY_TIMEOUT" | "WEBHOOK_ERROR" | "INVALID_ALERT" | "TOO_MANY_GROUPS";
            /** @description Reason for the error, and the action to take. */
            message: string;
            timestamp: components["schemas"]["Timestamp"];
        };
        ExplainedQuery: {
            /** @description The statement. */
            sql: string;
            /** @description Estimate of what the statement reads. */
            reads: components["schemas"]["TableRead"][];
            /** @description Indexes in the order of their use. */
            indexes: components["schemas"]["UsedIndex"][];
        };
        /**
         * @example {
         *       "queries": [
         *         {
         *           "sql": "SELECT `Body` AS `__column_0` FROM `default`.`otel_logs` WHERE `TimestampTime` >= '2026-01-01 00:00:00' LIMIT 101",
         *           "reads": [
         *             {
         *               "table": "otel_logs",
         *               "parts": 1,
         *               "rows": 8192,
         *               "marks": 1
         *             }
         *           ],
         *           "indexes": [
         *             {
         *               "table": "otel_logs",
         *               "type": "PrimaryKey",
         *               "keys": [
         *                 "TimestampTime"
         *               ],
         *               "parts": 4,
         *               "selectedParts": 1,
         *               "granules": 120,
         *               "selectedGranules": 1
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        ExplainResult: {
            /** @description The statements of the request. */
            queries: components["schemas"]["ExplainedQuery"][];
        };
        ExplainStep: {
            /** @enum {string} */
            step: "evaluation" | "rows" | "value" | "threshold" | "windows" | "incident" | "silence" | "maintenance" | "acknowledgement" | "delivery";
            /**
             * @description `stopped`: the reason why the alert did not notify. `info`: does not decide anything.
             * @enum {string}
             */
            outcome: "passed" | "stopped" | "info";
            /** @description The step in a sentence. */
            text: string;
        };
        /**
         * @description `notified`: at least one receiver accepted the notification. `pending`: it is not delivered yet. `failed`: no receiver accepted it, or there is none. `muted`: a silence, a maintenance window or an acknowledgement held it back. `not_due`: there was nothing to tell. `not_evaluated`: the window has no evaluation.
         * @enum {string}
         */
        ExplainVerdict: "notified" | "pending" | "failed" | "muted" | "not_due" | "not_evaluated";
        /**
         * @description `csv`: RFC 4180 with a header line. `ndjson`: one JSON object a line, with the values that a search returns.
         * @enum {string}
         */
        ExportFormat: "csv" | "ndjson";
        ExportRequest: {
            sourceId: components["schemas"]["ObjectId"];
            /**
             * @description Condition that rows must match; empty matches all rows.
             * @default
             */
            where: string;
            /** @default lucene */
            whereLanguage: components["schemas"]["WhereLanguage"];
            /**
             * @description Additional conditions (at most 50, default none). A row must match `where` and every filter.
             * @default []
             */
            filters: components["schemas"]["Filter"][];
            startTime: components["schemas"]["EpochMs"];
            /** @description End of the range, exclusive. */
            endTime: components["schemas"]["EpochMs"];
            /** @description Columns, map keys or expressions, each with an optional `AS name`: a list, or comma-separated text. Default: the columns that the source defines. */
            select?: components["schemas"]["SearchSelect"];
            /** @description Columns or expressions, each with optional ASC or DESC. Rows with equal values are newest first. Default: newest first. */
            orderBy?: string;
            /** @default csv */
            format: components["schemas"]["ExportFormat"];
        };
        Facet: {
            /** @description The field, as in the request. */
            field: string;
            /**
             * @description How values compare. `number` and `time` fields have `min` and `max`.
             * @enum {string}
             */
            type: "text" | "number" | "time" | "boolean";
            /**
             * Format: int64
             * @description Number of counted rows that have a value.
             */
            rows: number;
            /** @description Most frequent values, most frequent first. Values of over 1,000 characters are left out. */
            values: components["schemas"]["FacetValue"][];
            /** @description Whether the field has so many values that counts are upper bounds and a frequent value may be missing. */
            approximate: boolean;
            /** @description Least value, as text. */
            min?: string;
            /** @description Greatest value, as text. */
            max?: string;
        };
        FacetKey: {
            /** @description Name to use as a field: `Map.key`. */
            field: string;
            /**
             * Format: int64
             * @description Number of counted rows that have the key.
             */
            rows: number;
        };
        FacetRequest: {
            sourceId: components["schemas"]["ObjectId"];
            /**
             * @description Condition that rows must match; empty matches all rows.
             * @default
             */
            where: string;
            /** @default lucene */
            whereLanguage: components["schemas"]["WhereLanguage"];
            /**
             * @description Additional conditions (at most 50, default none). A row must match `where` and every filter.
             * @default []
             */
            filters: components["schemas"]["Filter"][];
            startTime: components["schemas"]["EpochMs"];
            /** @description End of the range, exclusive. */
            endTime: components["schemas"]["EpochMs"];
            /** @description Columns, map keys (`Map.key.with.dots`) or expressions to count the values of (1–20). If absent, the response has the columns with few different values, and `keys`. */
            fields?: string[];
            /**
             * @description Text that a value, or a key of `keys`, must contain, in any case (default: any value).
             * @default
             */
            search: string;
            /**
             * @description Maximum number of values for each field (1–100, default 10).
             * @default 10
             */
            limit: number;
        };
        /**
         * @example {
         *       "rows": 1204,
         *       "countedRows": 1204,
         *       "sampled": false,
         *       "facets": [
         *         {
         *           "field": "ServiceName",
         *           "type": "text",
         *           "rows": 1204,
         *           "values": [
         *             {
         *               "value": "checkout",
         *               "rows": 800
         *             },
         *             {
         *               "value": "payment",
         *               "rows": 404
         *             }
         *           ],
         *           "approximate": false
         *         }
         *       ]
         *     }
         */
        FacetResult: {
            /**
             * Format: int64
             * @description Number of rows that match in the range.
             */
            rows: number;
            /**
             * Format: int64
             * @description Number of rows that the values were counted in.
             */
            countedRows: number;
            /** @description Whether `countedRows` is a part of `rows`, taken from 32 periods spread over the range. This happens if more than 1,000,000 rows match. */
            sampled: boolean;
            /** @description One entry for each field, in order. */
            facets: components["schemas"]["Facet"][];
            /** @description Keys of map columns, most frequent first (at most 500). Only if the request has no `fields`. */
            keys?: components["schemas"]["FacetKey"][];
        };
        FacetValue: {
            /** @description The value as text: `values` of a `FieldFilter` take it. */
            value: string;
            /**
             * Format: int64
             * @description Number of counted rows with this value.
             */
            rows: number;
        };
        FieldError: {
            /** @description Path of the field, such as `destination.table`. */
            path: string;
            /** @description What is wrong with the value. */
            message: string;
        };
        /**
         * @description A test of one field.
         * @example {
         *       "type": "field",
         *       "field": "ServiceName",
         *       "op": "is",
         *       "values": [
         *         "checkout",
         *         "payment"
         *       ]
         *     }
         */
        FieldFilter: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "field";
            /** @description Column, map key (`Map.key.with.dots`) or expression to test. */
            field: string;
            /**
             * @description `is`: equals one of `values`. `is_not`: equals none of them. `exists`: the map has the key, or the value is not empty. `not_exists`: the opposite. `between`: a number or time from `min` to `max`, both included; one of them may be absent.
             * @enum {string}
             */
            op: "is" | "is_not" | "exists" | "not_exists" | "between";
            /** @description Exact values, as text (1–100). Required for `is` and `is_not`. A missing key has the empty text. */
            values?: string[];
            /** @description Least value, as text: a number, or for a time ISO 8601 or milliseconds. */
            min?: string;
            /** @description Greatest value, in the same forms. */
            max?: string;
        };
        /**
         * @description A test of one field.
         * @example {
         *       "type": "field",
         *       "field": "ServiceName",
         *       "op": "is",
         *       "values": [
         *         "checkout",
         *         "payment"
         *       ]
         *     }
         */
        FieldFilterResult: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "field";
            /** @description Column, map key (`Map.key.with.dots`) or expression to test. */
            field: string;
            /**
             * @description `is`: equals one of `values`. `is_not`: equals none of them. `exists`: the map has the key, or the value is not empty. `not_exists`: the opposite. `between`: a number or time from `min` to `max`, both included; one of them may be absent.
             * @enum {string}
             */
            op: "is" | "is_not" | "exists" | "not_exists" | "between";
            /** @description Exact values, as text (1–100). Required for `is` and `is_not`. A missing key has the empty text. */
            values?: string[];
            /** @description Least value, as text: a number, or for a time ISO 8601 or milliseconds. */
            min?: string;
            /** @description Greatest value, in the same forms. */
            max?: string;
        };
        /** @description Additional condition. A row must match `where` and every filter. */
        Filter: components["schemas"]["ConditionFilter"] | components["schemas"]["FieldFilter"];
        /** @description Additional condition. A row must match `where` and every filter. */
        FilterResult: components["schemas"]["ConditionFilterResult"] | components["schemas"]["FieldFilterResult"];
        /**
         * @description Length of a time bucket. `auto` selects the shortest length that yields at most 60 buckets.
         * @enum {string}
         */
        Granularity: "30s" | "1m" | "5m" | "10m" | "15m" | "30m" | "1h" | "2h" | "6h" | "12h" | "1d" | "2d" | "7d" | "30d" | "auto";
        /**
         * @example {
         *       "httpPort": 4318,
         *       "grpcPort": 4317
         *     }
         */
        IngestionEndpoints: {
            /** @description Port for OTLP over HTTP. Absent if unknown. */
            httpPort?: number;
            /** @description Port for OTLP over gRPC. Absent if unknown. */
            grpcPort?: number;
        };
        /**
         * @example {
         *       "key": "sli_EXAMPLE-NOT-A-KEY",
         *       "createdAt": "2026-03-14T09:26:53.589Z"
         *     }
         */
        IngestionKey: {
            /** @description Key that telemetry senders use. It does not authenticate API requests. */
            key: string;
            createdAt: components["schemas"]["Timestamp"];
        };
        /** @description Telemetry that the OTLP receivers of all processes got for the team. */
        IngestStatus: {
            /**
             * Format: int64
             * @description The figures cover this time until now.
             */
            windowSeconds: number;
            /**
             * Format: int64
             * @description Number of log records, spans and data points that were stored.
             */
            storedRecords: number;
            /**
             * Format: double
             * @description Average rate of stored records.
             */
            recordsPerSecond: number;
            /**
             * Format: int64
             * @description Number of records that were refused for good, such as ones without a value.
             */
            rejectedRecords: number;
            /**
             * Format: int64
             * @description Number of requests that were refused as a whole. Senders repeat most of them.
             */
            refusedRequests: number;
            /** @description Last refusal of records or requests. Absent if there was none. */
            lastRefusal?: components["schemas"]["IngestStatusLastRefusal"];
        };
        IngestStatusLastRefusal: {
            /** @description Text of the answer. */
            reason: string;
            at: components["schemas"]["Timestamp"];
        };
        LinkAcceptance: {
            /** @description Token of the link. */
            token: string;
            /** @description New password (8–1024 characters). */
            password: string;
        };
        /** @description Alerts that the window covers. */
        MaintenanceAlerts: {
            /**
             * @description All alerts of the team.
             * @default false
             */
            all: boolean;
            /**
             * @description Alerts (at most 200).
             * @default []
             */
            ids: components["schemas"]["ObjectId"][];
            /**
             * @description Alerts that have at least one of these tags (at most 50).
             * @default []
             */
            tags: string[];
        };
        /** @description Alerts that the window covers. */
        MaintenanceAlertsResult: {
            /**
             * @description All alerts of the team.
             * @default false
             */
            all: boolean;
            /**
             * @description Alerts (at most 200).
             * @default []
             */
            ids: components["schemas"]["ObjectId"][];
            /**
             * @description Alerts that have at least one of these tags (at most 50).
             * @default []
             */
            tags: string[];
        };
        /** @description Omitted fields keep their value. */
        MaintenanceChange: {
            /** @description Name (1–255 characters). */
            name?: string;
            schedule?: components["schemas"]["MaintenanceSchedule"];
            alerts?: components["schemas"]["MaintenanceAlerts"];
        };
        MaintenanceCron: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cron";
            /**
             * @description Cron expression of five fields (minute, hour, day of month, month, day of week) for the begin of each occurrence.
             * @example 0 2 * * SUN
             */
            expression: string;
            /**
             * @description IANA time zone of the expression.
             * @example Europe/Berlin
             */
            timeZone: string;
            /** @description Length of each occurrence (1m–7d). The clock change does not alter it. */
            duration: components["schemas"]["Duration"];
        };
        MaintenanceCronResult: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cron";
            /**
             * @description Cron expression of five fields (minute, hour, day of month, month, day of week) for the begin of each occurrence.
             * @example 0 2 * * SUN
             */
            expression: string;
            /**
             * @description IANA time zone of the expression.
             * @example Europe/Berlin
             */
            timeZone: string;
            /** @description Length of each occurrence (1m–7d). The clock change does not alter it. */
            duration: components["schemas"]["Duration"];
        };
        MaintenanceInput: {
            /** @description Name (1–255 characters). */
            name: string;
            schedule: components["schemas"]["MaintenanceSchedule"];
            alerts: components["schemas"]["MaintenanceAlerts"];
        };
        MaintenanceOccurrence: {
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
        };
        MaintenanceOnce: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "once";
            /** @description Begin, inclusive. */
            from: components["schemas"]["Timestamp"];
            /** @description End, exclusive. Must be after `from`. */
            to: components["schemas"]["Timestamp"];
        };
        MaintenanceOnceResult: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "once";
            /** @description Begin, inclusive. */
            from: components["schemas"]["Timestamp"];
            /** @description End, exclusive. Must be after `from`. */
            to: components["schemas"]["Timestamp"];
        };
        MaintenanceSchedule: components["schemas"]["MaintenanceOnce"] | components["schemas"]["MaintenanceCron"];
        MaintenanceScheduleResult: components["schemas"]["MaintenanceOnceResult"] | components["schemas"]["MaintenanceCronResult"];
        /**
         * @example {
         *       "id": "65f0c1d2e3a4b5c6d7e8f907",
         *       "name": "Database upgrade",
         *       "schedule": {
         *         "type": "cron",
         *         "expression": "0 2 * * SUN",
         *         "timeZone": "Europe/Berlin",
         *         "duration": "2h"
         *       },
         *       "alerts": {
         *         "all": false,
         *         "ids": [],
         *         "tags": [
         *           "database"
         *         ]
         *       },
         *       "active": false,
         *       "occurrence": {
         *         "from": "2026-03-15T01:00:00.000Z",
         *         "to": "2026-03-15T03:00:00.000Z"
         *       },
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "updatedAt": "2026-03-14T09:26:53.589Z"
         *     }
         */
        MaintenanceWindow: {
            id: components["schemas"]["ObjectId"];
            /** @description Name (1–255 characters). */
            name: string;
            schedule: components["schemas"]["MaintenanceScheduleResult"];
            alerts: components["schemas"]["MaintenanceAlertsResult"];
            /** @description True if the window covers this moment. */
            active: boolean;
            /** @description The current or next occurrence; absent if there is none. */
            occurrence?: components["schemas"]["MaintenanceOccurrence"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "id": "65f0c1d2e3a4b5c6d7e8f902",
         *       "email": "ada@example.com",
         *       "name": "Ada",
         *       "role": "member",
         *       "hasPassword": false,
         *       "createdAt": "2026-03-14T09:26:53.589Z"
         *     }
         */
        Member: {
            id: components["schemas"]["ObjectId"];
            /** @description E-mail address of the member. */
            email: string;
            /** @description Name of the member; absent if unset. */
            name?: string;
            role: components["schemas"]["UserRole"];
            /** @description Whether the member has a password. Without one, a link or single sign-on is needed. */
            hasPassword: boolean;
            createdAt: components["schemas"]["Timestamp"];
        };
        MemberChange: {
            /** @description Name of the member (1–255 characters). */
            name?: string;
            role?: components["schemas"]["UserRole"];
        };
        MemberInput: {
            /**
             * Format: email
             * @description E-mail address of the member. An address belongs to one team only.
             */
            email: string;
            /** @description Name of the member (1–255 characters). */
            name?: string;
            /** @default member */
            role: components["schemas"]["UserRole"];
        };
        /**
         * @example {
         *       "path": "/join#EXAMPLE-NOT-A-TOKEN",
         *       "expiresAt": "2026-03-17T09:26:53.589Z"
         *     }
         */
        MemberLink: {
            /** @description Path of a page of the web interface where the member sets a password. Works once. Returned only once. The token is the part after `#`. */
            path: string;
            /** @description Time after which the link does not work (3 days). */
            expiresAt: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "name": "system.memory.usage",
         *       "type": "gauge",
         *       "unit": "By",
         *       "lastValue": 1073741824,
         *       "lastTime": 1767225612345
         *     }
         */
        Metric: {
            /** @description Name of the metric. */
            name: string;
            type: components["schemas"]["MetricDataType"];
            /** @description Unit as it was sent; empty if there is none. */
            unit: string;
            /**
             * Format: double
             * @description Value of the newest point of any series; of distributions, its number of observations. Absent if it is not a finite number.
             */
            lastValue?: number;
            /**
             * Format: double
             * @description Time of the newest point, in milliseconds since the Unix epoch.
             */
            lastTime: number;
        };
        /** @enum {string} */
        MetricDataType: "gauge" | "sum" | "histogram" | "exponential histogram" | "summary";
        /**
         * @example {
         *       "id": "65f0c1d2e3a4b5c6d7e8f907",
         *       "name": "deploy script",
         *       "keySuffix": "x7Qd",
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "key": "slp_EXAMPLE-NOT-A-KEY-x7Qd"
         *     }
         */
        NewAccessKey: {
            id: components["schemas"]["ObjectId"];
            /** @description Name of the key. */
            name: string;
            /** @description Last four characters of the key, to identify it. */
            keySuffix: string;
            createdAt: components["schemas"]["Timestamp"];
            /** @description Time of last use, rounded to the minute. Absent if the key was never used. */
            usedAt?: components["schemas"]["Timestamp"];
            /** @description The key. Returned only once. */
            key: string;
        };
        /**
         * @example {
         *       "member": {
         *         "id": "65f0c1d2e3a4b5c6d7e8f902",
         *         "email": "ada@example.com",
         *         "name": "Ada",
         *         "role": "member",
         *         "hasPassword": false,
         *         "createdAt": "2026-03-14T09:26:53.589Z"
         *       },
         *       "link": {
         *         "path": "/join#EXAMPLE-NOT-A-TOKEN",
         *         "expiresAt": "2026-03-17T09:26:53.589Z"
         *       }
         *     }
         */
        NewMember: {
            member: components["schemas"]["Member"];
            link: components["schemas"]["MemberLink"];
        };
        /**
         * @description Treatment of a window without data: `zero` evaluates the value 0 (default), `ok` counts as not breaching, `firing` counts as breaching, `keep` leaves the state unchanged.
         * @enum {string}
         */
        NoData: "zero" | "ok" | "firing" | "keep";
        /** @description A process of the server. */
        NodeStatus: {
            /** @description Name under which the process holds leases. */
            id: string;
            /** @description Name of the machine or container. */
            host: string;
            /**
             * Format: int64
             * @description Id of the process on its machine.
             */
            processId: number;
            /** @description Version of Sightline. */
            version: string;
            /** @description Roles of the process. */
            roles: string[];
            /**
             * @description `lost`: no sign of life for 30 seconds. The server forgets a lost process after 1 hour.
             * @enum {string}
             */
            state: "running" | "lost";
            startedAt: components["schemas"]["Timestamp"];
            lastSeenAt: components["schemas"]["Timestamp"];
            /**
             * Format: double
             * @description Resident memory of the process.
             */
            memoryBytes: number;
            /** @description Disk of the data directory. Absent if the process has no data there. */
            disk?: components["schemas"]["NodeStatusDisk"];
            /** @description Shards of alerts that the process evaluates. */
            alertShards: number[];
            /**
             * Format: int64
             * @description Number of pipe readers, of all teams.
             */
            pipeReaders: number;
            /** @description Pipes of the team that the process reads. */
            pipes: components["schemas"]["Uuid"][];
        };
        NodeStatusDisk: {
            /**
             * Format: double
             * @description Free space.
             */
            freeBytes: number;
            /**
             * Format: double
             * @description Size.
             */
            totalBytes: number;
        };
        /** @enum {string} */
        NotificationReason: "fired" | "still_firing" | "resolved" | "group_gone" | "group_by_changed" | "silence_ended" | "maintenance_ended" | "test";
        NumberFormat: {
            /**
             * @description Unit in which the value is shown.
             * @enum {string}
             */
            output: "number" | "percent" | "byte" | "time" | "duration" | "currency" | "data_rate" | "throughput";
            /** @description Number of decimal places (0–10). */
            mantissa?: number;
            /** @description Separate groups of three digits. */
            thousandSeparated?: boolean;
            /** @description Abbreviate large numbers: 1.2k, 3.4m. */
            average?: boolean;
            /** @description Use powers of 1000 instead of 1024. */
            decimalBytes?: boolean;
            /**
             * Format: double
             * @description Factor applied to the value before display.
             */
            factor?: number;
            /** @description Currency symbol, for `currency` (at most 8 characters). */
            currencySymbol?: string;
            /** @description Unit shown after the value (at most 32 characters). */
            unit?: string;
        };
        NumberFormatResult: {
            /**
             * @description Unit in which the value is shown.
             * @enum {string}
             */
            output: "number" | "percent" | "byte" | "time" | "duration" | "currency" | "data_rate" | "throughput";
            /** @description Number of decimal places (0–10). */
            mantissa?: number;
            /** @description Separate groups of three digits. */
            thousandSeparated?: boolean;
            /** @description Abbreviate large numbers: 1.2k, 3.4m. */
            average?: boolean;
            /** @description Use powers of 1000 instead of 1024. */
            decimalBytes?: boolean;
            /**
             * Format: double
             * @description Factor applied to the value before display.
             */
            factor?: number;
            /** @description Currency symbol, for `currency` (at most 8 characters). */
            currencySymbol?: string;
            /** @description Unit shown after the value (at most 32 characters). */
            unit?: string;
        };
        /** @example 65f0c1d2e3a4b5c6d7e8f901 */
        ObjectId: string;
        /** @description Notifications of the team that are not delivered yet. */
        OutboxStatus: {
            /**
             * Format: int64
             * @description Number of notifications that wait to be delivered.
             */
            waiting: number;
            /** @description Creation time of the oldest one. Absent if none waits. */
            oldestAt?: components["schemas"]["Timestamp"];
            /** @description Webhooks that notifications wait for (at most 20, the oldest first). */
            webhooks: components["schemas"]["OutboxStatusWebhooksItem"][];
        };
        OutboxStatusWebhooksItem: {
            id: components["schemas"]["ObjectId"];
            /** @description Name of the webhook. */
            name: string;
            /**
             * Format: int64
             * @description Number of notifications for the webhook.
             */
            waiting: number;
            oldestAt: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "id": "65f0c1d2e3a4b5c6d7e8f90a",
         *       "current": true,
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "lastUsedAt": "2026-03-15T08:11:00.000Z",
         *       "expiresAt": "2026-04-13T09:26:53.589Z",
         *       "address": "203.0.113.7",
         *       "browser": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
         *     }
         */
        OwnSession: {
            id: components["schemas"]["ObjectId"];
            /** @description Whether this session makes the request. */
            current: boolean;
            createdAt: components["schemas"]["Timestamp"];
            /** @description Time of last use, rounded to the minute. */
            lastUsedAt: components["schemas"]["Timestamp"];
            /** @description Time at which the session ends at the latest. */
            expiresAt: components["schemas"]["Timestamp"];
            /** @description Network address at the sign-in; absent if unknown. */
            address?: string;
            /** @description Name that the browser sent at the sign-in; absent if it sent none. */
            browser?: string;
        };
        PageMeta: {
            total: number;
            limit: number;
            offset: number;
        };
        /** @description Present if shards of the ClickHouse cluster did not respond: the result lacks their rows. */
        PartialResult: {
            /** @description Numbers of these shards, from 1, in ascending order. */
            missingShards: number[];
        };
        PasswordChange: {
            /** @description Password that the user has now. */
            currentPassword: string;
            /** @description New password (8–1024 characters). */
            newPassword: string;
        };
        /** @description Pipes of the team. */
        PipesStatus: {
            /**
             * Format: int64
             * @description Number of pipes.
             */
            total: number;
            /**
             * Format: int64
             * @description Number of pipes that do not work.
             */
            failingCount: number;
            /** @description Pipes that do not work (at most 20, failed ones first). */
            failing: components["schemas"]["PipesStatusFailingItem"][];
        };
        PipesStatusFailingItem: {
            id: components["schemas"]["Uuid"];
            /** @description Name of the pipe. */
            name: string;
            /**
             * @description `Failed`: the pipe has stopped. `Degraded`: it retries. `Deleting`: its source cannot be cleaned up, and the server retries.
             * @enum {string}
             */
            state: "Failed" | "Degraded" | "Deleting";
            /** @description Reason for the state, and the action to take. Empty if there is none. */
            message: string;
            since: components["schemas"]["Timestamp"];
        };
        RecentEvaluation: {
            windowStart: components["schemas"]["Timestamp"];
            /** @description End of the window, exclusive. */
            windowEnd: components["schemas"]["Timestamp"];
            /** @description Most severe state of all groups. */
            state: components["schemas"]["AlertState"];
            /** @description Value that determined the state; `null` if the window has no data or the result is not a number. */
            value: number | null;
            /** @description Reason for the state change, as in the history of the alert. */
            reason: string | null;
            /**
             * Format: int64
             * @description Number of windows in this span that were not evaluated.
             */
            skipped?: number;
        };
        /**
         * @example {
         *       "id": "65f0c1d2e3a4b5c6d7e8f906",
         *       "name": "Failed payments",
         *       "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
         *       "select": "",
         *       "where": "ServiceName:payment SeverityText:error",
         *       "whereLanguage": "lucene",
         *       "orderBy": "Timestamp DESC",
         *       "tags": [
         *         "shop"
         *       ],
         *       "filters": [],
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "updatedAt": "2026-03-14T09:26:53.589Z"
         *     }
         */
        SavedSearch: {
            id: components["schemas"]["ObjectId"];
            /** @description Name (1–1024 characters). */
            name: string;
            sourceId: components["schemas"]["ObjectId"];
            /** @description Columns, comma-separated. If empty, the columns that the source defines. */
            select: string;
            /** @description Condition that rows must match; empty matches all rows. */
            where: string;
            whereLanguage: components["schemas"]["WhereLanguage"];
            /** @description Columns or expressions, each with optional ASC or DESC. If empty, newest first. */
            orderBy: string;
            /** @description Tags (at most 50, each 1–32 characters). */
            tags: string[];
            /** @description Additional conditions (at most 50, default none). A row must match `where` and every filter. */
            filters: components["schemas"]["FilterResult"][];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        /** @description Omitted fields keep their value. */
        SavedSearchChange: {
            /** @description Name (1–1024 characters). */
            name?: string;
            sourceId?: components["schemas"]["ObjectId"];
            /** @description Columns, comma-separated. If empty, the columns that the source defines. */
            select?: string;
            /** @description Condition that rows must match; empty matches all rows. */
            where?: string;
            whereLanguage?: components["schemas"]["WhereLanguage"];
            /** @description Columns or expressions, each with optional ASC or DESC. If empty, newest first. */
            orderBy?: string;
            /** @description Tags (at most 50, each 1–32 characters). */
            tags?: string[];
            /** @description Additional conditions (at most 50, default none). A row must match `where` and every filter. */
            filters?: components["schemas"]["Filter"][];
        };
        SavedSearchInput: {
            /** @description Name (1–1024 characters). */
            name: string;
            sourceId: components["schemas"]["ObjectId"];
            /**
             * @description Columns, comma-separated. If empty, the columns that the source defines.
             * @default
             */
            select: string;
            /**
             * @description Condition that rows must match; empty matches all rows.
             * @default
             */
            where: string;
            /** @default lucene */
            whereLanguage: components["schemas"]["WhereLanguage"];
            /**
             * @description Columns or expressions, each with optional ASC or DESC. If empty, newest first.
             * @default
             */
            orderBy: string;
            /**
             * @description Tags (at most 50, each 1–32 characters).
             * @default []
             */
            tags: string[];
            /**
             * @description Additional conditions (at most 50, default none). A row must match `where` and every filter.
             * @default []
             */
            filters: components["schemas"]["Filter"][];
        };
        SearchColumn: {
            /** @description Name of the column. */
            name: string;
            /** @description ClickHouse type. */
            type: string;
        };
        SearchRequest: {
            sourceId: components["schemas"]["ObjectId"];
            /**
             * @description Condition that rows must match; empty matches all rows.
             * @default
             */
            where: string;
            /** @default lucene */
            whereLanguage: components["schemas"]["WhereLanguage"];
            /**
             * @description Additional conditions (at most 50, default none). A row must match `where` and every filter.
             * @default []
             */
            filters: components["schemas"]["Filter"][];
            startTime: components["schemas"]["EpochMs"];
            /** @description End of the range, exclusive. */
            endTime: components["schemas"]["EpochMs"];
            /** @description Columns, map keys or expressions, each with an optional `AS name`: a list, or comma-separated text. Default: the columns that the source defines. */
            select?: components["schemas"]["SearchSelect"];
            /** @description Columns or expressions, each with optional ASC or DESC. Rows with equal values are newest first. Default: newest first. */
            orderBy?: string;
            /**
             * @description Maximum number of rows to return (1–2000, default 100).
             * @default 100
             */
            limit: number;
            /** @description `cursor` of the previous page. */
            cursor?: string;
        };
        /**
         * @example {
         *       "columns": [
         *         {
         *           "name": "Timestamp",
         *           "type": "DateTime64(9)"
         *         },
         *         {
         *           "name": "Body",
         *           "type": "String"
         *         }
         *       ],
         *       "rows": [
         *         {
         *           "_id": "1767225612345678900-8993a009869b81274a7202843b2e9445",
         *           "Timestamp": "2026-01-01 00:00:12.345678900",
         *           "Body": "timeout while talking to the payment provider"
         *         }
         *       ],
         *       "cursor": "MTc2NzIyNTYxMjM0NTY3ODkwMC44OTkzYTAwOTg2OWI4MTI3NGE3MjAyODQzYjJlOTQ0NQ"
         *     }
         */
        SearchResult: {
            /** @description Columns of the rows, in order. */
            columns: components["schemas"]["SearchColumn"][];
            /** @description Values by column name. 64-bit integers are strings; times are text in UTC. `_id` identifies the row: it depends on the content of the row, not on its place in storage. */
            rows: {
                [key: string]: unknown;
            }[];
            /** @description Cursor to request the next page; absent on the last page. */
            cursor?: string;
        };
        SearchRowRequest: {
            sourceId: components["schemas"]["ObjectId"];
            /** @description `_id` of a row that a search returned. */
            id: string;
        };
        /**
         * @example {
         *       "columns": [
         *         {
         *           "name": "Timestamp",
         *           "type": "DateTime64(9)"
         *         },
         *         {
         *           "name": "Body",
         *           "type": "String"
         *         }
         *       ],
         *       "row": {
         *         "_id": "1767225612345678900-8993a009869b81274a7202843b2e9445",
         *         "Timestamp": "2026-01-01 00:00:12.345678900",
         *         "Body": "timeout while talking to the payment provider"
         *       }
         *     }
         */
        SearchRowResult: {
            /** @description All columns of the table, in the order of the table. */
            columns: components["schemas"]["SearchColumn"][];
            /** @description Values by column name, and `_id`. 64-bit integers are strings; times are text in UTC. */
            row: {
                [key: string]: unknown;
            };
        };
        SearchSelect: string | string[];
        /** @description The machines, of all teams together. */
        ServerStatus: {
            /** @description Processes that share the metadata store, in the order of their starts. */
            nodes: components["schemas"]["NodeStatus"][];
            /** @description Shards (0–15) of alerts that no process evaluates. */
            freeAlertShards: number[];
            /** @description Telemetry engines. */
            engines: components["schemas"]["EngineStatus"][];
        };
        ServiceEdge: {
            /** @description Name of the service that calls. */
            caller: string;
            /** @description Name of the node that is called. */
            callee: string;
            calleeKind: components["schemas"]["ServiceNodeKind"];
            /**
             * Format: int64
             * @description Number of calls, estimated from the sample if `sampleShare` is less than 1.
             */
            calls: number;
            /**
             * Format: int64
             * @description Number of calls with the status error, estimated in the same way.
             */
            errors: number;
            /**
             * Format: double
             * @description Median of the durations, in nanoseconds.
             */
            p50Nanos?: number;
            /**
             * Format: double
             * @description 95th percentile of the durations, in nanoseconds.
             */
            p95Nanos?: number;
            /**
             * Format: double
             * @description 99th percentile of the durations, in nanoseconds.
             */
            p99Nanos?: number;
        };
        /**
         * @example {
         *       "nodes": [
         *         {
         *           "name": "checkout",
         *           "kind": "service",
         *           "calls": 120,
         *           "errors": 3,
         *           "p50Nanos": 41000000,
         *           "p95Nanos": 96000000,
         *           "p99Nanos": 180000000
         *         },
         *         {
         *           "name": "postgresql orders",
         *           "kind": "database",
         *           "calls": 240,
         *           "errors": 0
         *         }
         *       ],
         *       "edges": [
         *         {
         *           "caller": "checkout",
         *           "callee": "postgresql orders",
         *           "calleeKind": "database",
         *           "calls": 240,
         *           "errors": 0,
         *           "p50Nanos": 2100000,
         *           "p95Nanos": 6300000,
         *           "p99Nanos": 9900000
         *         }
         *       ],
         *       "sampleShare": 1,
         *       "truncated": false
         *     }
         */
        ServiceMap: {
            /** @description Nodes, most calls first. */
            nodes: components["schemas"]["ServiceNode"][];
            /** @description Calls between nodes, most calls first. */
            edges: components["schemas"]["ServiceEdge"][];
            /**
             * Format: double
             * @description Share of the traces that were read, such as 0.25. All of them (1) if there are at most 500,000 spans in the range and 5 minutes before and after it.
             */
            sampleShare: number;
            /** @description Whether services or edges are missing, because there are more than 1000. */
            truncated: boolean;
        };
        ServiceMapRequest: {
            /** @description Trace source to read. */
            sourceId: components["schemas"]["ObjectId"];
            /**
             * @description Condition that rows must match; empty matches all rows.
             * @default
             */
            where: string;
            /** @default lucene */
            whereLanguage: components["schemas"]["WhereLanguage"];
            /**
             * @description Additional conditions (at most 50, default none). A row must match `where` and every filter.
             * @default []
             */
            filters: components["schemas"]["Filter"][];
            startTime: components["schemas"]["EpochMs"];
            /** @description End of the range, exclusive. */
            endTime: components["schemas"]["EpochMs"];
        };
        /** @description Durations are absent if there is no call, and if the kind is not `service`. */
        ServiceNode: {
            /** @description Name of the service. Otherwise `peer.service`, the system with its database or destination, or the address. */
            name: string;
            kind: components["schemas"]["ServiceNodeKind"];
            /**
             * Format: int64
             * @description Number of calls. Of a service: spans of the kinds server and consumer, and spans without a parent. Otherwise: calls of all edges that end here. Estimated as in edges.
             */
            calls: number;
            /**
             * Format: int64
             * @description Number of calls with the status error, estimated in the same way.
             */
            errors: number;
            /**
             * Format: double
             * @description Median of the durations, in nanoseconds.
             */
            p50Nanos?: number;
            /**
             * Format: double
             * @description 95th percentile of the durations, in nanoseconds.
             */
            p95Nanos?: number;
            /**
             * Format: double
             * @description 99th percentile of the durations, in nanoseconds.
             */
            p99Nanos?: number;
        };
        /**
         * @description `service`: sends spans. The others are only known from the attributes of calls. `database`: has `db.system`. `messaging`: has `messaging.system`. `external`: only has a name or an address.
         * @enum {string}
         */
        ServiceNodeKind: "service" | "database" | "messaging" | "external";
        /**
         * @example {
         *       "id": "65f0c1d2e3a4b5c6d7e8f90a",
         *       "user": {
         *         "id": "65f0c1d2e3a4b5c6d7e8f902",
         *         "email": "ada@example.com",
         *         "name": "Ada"
         *       },
         *       "role": "member",
         *       "scopes": [
         *         "stack:read",
         *         "team:read"
         *       ],
         *       "team": {
         *         "id": "65f0c1d2e3a4b5c6d7e8f900",
         *         "name": "Example shop"
         *       },
         *       "organizationId": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
         *       "serviceId": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
         *       "hasPassword": true,
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "expiresAt": "2026-04-13T09:26:53.589Z"
         *     }
         */
        Session: {
            id: components["schemas"]["ObjectId"];
            user: components["schemas"]["SessionUser"];
            role: components["schemas"]["UserRole"];
            /** @description What the session can do. */
            scopes: ("stack:read" | "stack:write" | "sources:write" | "webhooks:write" | "team:read" | "team:write" | "telemetry:query" | "organization:read" | "organization:write" | "keys:read" | "keys:write" | "pipes:read" | "pipes:write" | "audit:read" | "members:write" | "demo:write" | "server:read" | "session:read" | "session:write")[];
            team: components["schemas"]["Team"];
            /** @description Organization of the team, for /v1. */
            organizationId: components["schemas"]["Uuid"];
            /** @description Id of the team as a service, for /v1. */
            serviceId: components["schemas"]["Uuid"];
            /** @description Whether the user has a password. Otherwise single sign-on is needed. */
            hasPassword: boolean;
            createdAt: components["schemas"]["Timestamp"];
            /** @description Time at which the session ends at the latest. It ends earlier after 7 days without a request. */
            expiresAt: components["schemas"]["Timestamp"];
        };
        /** @description User of the session. */
        SessionUser: {
            id: components["schemas"]["ObjectId"];
            /** @description E-mail address of the user. */
            email: string;
            /** @description Name of the user; absent if unset. */
            name?: string;
        };
        SignIn: {
            /** @description E-mail address of the user. */
            email: string;
            /** @description Password of the user. */
            password: string;
        };
        /**
         * @example {
         *       "singleSignOn": true
         *     }
         */
        SignInOptions: {
            /** @description Whether `/sign-in/oidc?next=<path>` on the port of the web interface leads to an identity provider. */
            singleSignOn: boolean;
        };
        /**
         * @example {
         *       "silenced": true,
         *       "silencedUntil": "2026-03-14T18:00:00.000Z"
         *     }
         */
        Silence: {
            /** @description True if the alert is silenced now. */
            silenced: boolean;
            silencedUntil?: components["schemas"]["Timestamp"];
        };
        SilenceInput: {
            /** @description End of the silence. If absent, the silence lasts until it is ended. */
            until?: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @example {
         *       "id": "65f0c1d2e3a4b5c6d7e8f901",
         *       "team": "65f0c1d2e3a4b5c6d7e8f900",
         *       "kind": "log",
         *       "name": "Logs",
         *       "from": {
         *         "databaseName": "telemetry",
         *         "tableName": "otel_logs"
         *       },
         *       "timestampValueExpression": "Timestamp",
         *       "bodyExpression": "Body",
         *       "serviceNameExpression": "ServiceName",
         *       "severityTextExpression": "SeverityText",
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "updatedAt": "2026-03-14T09:26:53.589Z"
         *     }
         */
        Source: components["schemas"]["SourceLog"] | components["schemas"]["SourceTrace"] | components["schemas"]["SourceMetric"];
        /** @description Omitted fields keep their value; `null` clears an optional field. */
        SourceChange: {
            kind?: components["schemas"]["SourceKind"];
            serviceNameExpression?: string | null;
            resourceAttributesExpression?: string | null;
            eventAttributesExpression?: string | null;
            durationExpression?: string | null;
            durationPrecision?: (0 | 3 | 6 | 9) | null;
            traceIdExpression?: string | null;
            spanIdExpression?: string | null;
            parentSpanIdExpression?: string | null;
            spanNameExpression?: string | null;
            spanKindExpression?: string | null;
            statusCodeExpression?: string | null;
            statusMessageExpression?: string | null;
            implicitColumnExpression?: string | null;
            defaultTableSelectExpression?: string | null;
            bodyExpression?: string | null;
            severityTextExpression?: string | null;
            /** @description Name (1–255 characters). */
            name?: string;
            from?: components["schemas"]["SourceTable"];
            /** @description Column or expression of the event time. */
            timestampValueExpression?: string;
            metricTables?: components["schemas"]["SourceMetricTables"];
        };
        /**
         * @example {
         *       "columns": [
         *         {
         *           "name": "Body",
         *           "type": "String"
         *         }
         *       ],
         *       "rows": [
         *         {
         *           "_id": "1767225612345678900-8993a009869b81274a7202843b2e9445",
         *           "Body": "started"
         *         }
         *       ]
         *     }
         */
        SourceCheck: {
            /** @description Columns of the rows, in order. */
            columns: components["schemas"]["SearchColumn"][];
            /** @description The newest rows (at most 5), as a search returns them. */
            rows: {
                [key: string]: unknown;
            }[];
        };
        /**
         * @example {
         *       "name": "ServiceName",
         *       "type": "LowCardinality(String)",
         *       "kind": "column",
         *       "values": [
         *         "checkout",
         *         "payment"
         *       ]
         *     }
         */
        SourceField: {
            /** @description Name to use in conditions and expressions: a column, or `Map.key`. */
            name: string;
            /** @description ClickHouse type. */
            type: string;
            /**
             * @description `column`: a column of the table. `attribute`: a key of a map column.
             * @enum {string}
             */
            kind: "column" | "attribute";
            /** @description Sample of values found in the data. */
            values: string[];
        };
        SourceInput: components["schemas"]["SourceInputLog"] | components["schemas"]["SourceInputTrace"] | components["schemas"]["SourceInputMetric"];
        SourceInputLog: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "log";
            /** @description Name (1–255 characters). */
            name: string;
            from: components["schemas"]["SourceTable"];
            /**
             * @description Column or expression of the event time.
             * @default Timestamp
             */
            timestampValueExpression: string;
            /** @description Column or expression of the service name. */
            serviceNameExpression?: string;
            /** @description Column with the map of resource attributes. */
            resourceAttributesExpression?: string;
            /** @description Column with the map of event attributes. */
            eventAttributesExpression?: string;
            /** @description Column or expression of the log message. */
            bodyExpression?: string;
            /** @description Column or expression of the severity text. */
            severityTextExpression?: string;
            /** @description Column or expression of the trace id. */
            traceIdExpression?: string;
            /** @description Column or expression of the span id. */
            spanIdExpression?: string;
            /** @description Column or expression that bare words of a Lucene condition search. Default: `bodyExpression`. */
            implicitColumnExpression?: string;
            /** @description Columns that a search returns if it selects none, comma-separated. */
            defaultTableSelectExpression?: string;
        };
        SourceInputMetric: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "metric";
            /** @description Name (1–255 characters). */
            name: string;
            from: components["schemas"]["SourceTable"];
            /**
             * @description Column or expression of the event time.
             * @default TimeUnix
             */
            timestampValueExpression: string;
            /** @description Column or expression of the service name. */
            serviceNameExpression?: string;
            /** @description Column with the map of resource attributes. */
            resourceAttributesExpression?: string;
            /** @description Column with the map of event attributes. */
            eventAttributesExpression?: string;
            metricTables: components["schemas"]["SourceMetricTables"];
        };
        SourceInputTrace: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "trace";
            /** @description Name (1–255 characters). */
            name: string;
            from: components["schemas"]["SourceTable"];
            /**
             * @description Column or expression of the event time.
             * @default Timestamp
             */
            timestampValueExpression: string;
            /** @description Column or expression of the service name. */
            serviceNameExpression?: string;
            /** @description Column with the map of resource attributes. */
            resourceAttributesExpression?: string;
            /** @description Column with the map of event attributes. */
            eventAttributesExpression?: string;
            /** @description Column or expression of the span duration. */
            durationExpression?: string;
            /**
             * Format: int64
             * @description Unit of `durationExpression`: 0 seconds, 3 milliseconds, 6 microseconds, 9 nanoseconds.
             * @enum {integer}
             */
            durationPrecision?: 0 | 3 | 6 | 9;
            /** @description Column or expression of the trace id. */
            traceIdExpression?: string;
            /** @description Column or expression of the span id. */
            spanIdExpression?: string;
            /** @description Column or expression of the parent span id. */
            parentSpanIdExpression?: string;
            /** @description Column or expression of the span name. */
            spanNameExpression?: string;
            /** @description Column or expression of the span kind. */
            spanKindExpression?: string;
            /** @description Column or expression of the status code. */
            statusCodeExpression?: string;
            /** @description Column or expression of the status message. */
            statusMessageExpression?: string;
            /** @description Column or expression that bare words of a Lucene condition search. Default: `spanNameExpression`. */
            implicitColumnExpression?: string;
            /** @description Columns that a search returns if it selects none, comma-separated. */
            defaultTableSelectExpression?: string;
        };
        /** @enum {string} */
        SourceKind: "log" | "trace" | "metric";
        SourceLog: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "log";
            /** @description Name (1–255 characters). */
            name: string;
            from: components["schemas"]["SourceTableResult"];
            /**
             * @description Column or expression of the event time.
             * @default Timestamp
             */
            timestampValueExpression: string;
            /** @description Column or expression of the service name. */
            serviceNameExpression?: string;
            /** @description Column with the map of resource attributes. */
            resourceAttributesExpression?: string;
            /** @description Column with the map of event attributes. */
            eventAttributesExpression?: string;
            /** @description Column or expression of the log message. */
            bodyExpression?: string;
            /** @description Column or expression of the severity text. */
            severityTextExpression?: string;
            /** @description Column or expression of the trace id. */
            traceIdExpression?: string;
            /** @description Column or expression of the span id. */
            spanIdExpression?: string;
            /** @description Column or expression that bare words of a Lucene condition search. Default: `bodyExpression`. */
            implicitColumnExpression?: string;
            /** @description Columns that a search returns if it selects none, comma-separated. */
            defaultTableSelectExpression?: string;
            id: components["schemas"]["ObjectId"];
            team: components["schemas"]["ObjectId"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        SourceMetric: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "metric";
            /** @description Name (1–255 characters). */
            name: string;
            from: components["schemas"]["SourceTableResult"];
            /**
             * @description Column or expression of the event time.
             * @default TimeUnix
             */
            timestampValueExpression: string;
            /** @description Column or expression of the service name. */
            serviceNameExpression?: string;
            /** @description Column with the map of resource attributes. */
            resourceAttributesExpression?: string;
            /** @description Column with the map of event attributes. */
            eventAttributesExpression?: string;
            metricTables: components["schemas"]["SourceMetricTablesResult"];
            id: components["schemas"]["ObjectId"];
            team: components["schemas"]["ObjectId"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        /** @description Table of each metric type, in `from.databaseName`. */
        SourceMetricTables: {
            /** @description Table of gauge metrics. */
            gauge?: string;
            /** @description Table of sum metrics. */
            sum?: string;
            /** @description Table of histogram metrics. */
            histogram?: string;
            /** @description Table of summary metrics. */
            summary?: string;
            /** @description Table of exponential histogram metrics. */
            "exponential histogram"?: string;
        };
        /** @description Table of each metric type, in `from.databaseName`. */
        SourceMetricTablesResult: {
            /** @description Table of gauge metrics. */
            gauge?: string;
            /** @description Table of sum metrics. */
            sum?: string;
            /** @description Table of histogram metrics. */
            histogram?: string;
            /** @description Table of summary metrics. */
            summary?: string;
            /** @description Table of exponential histogram metrics. */
            "exponential histogram"?: string;
        };
        /** @description Table that the source reads. A metric source lists its tables in `metricTables`. */
        SourceTable: {
            /** @description Database of the table (1–256 characters). */
            databaseName: string;
            /** @description Name of the table (1–256 characters). */
            tableName: string;
        };
        /** @description Table that the source reads. A metric source lists its tables in `metricTables`. */
        SourceTableResult: {
            /** @description Database of the table (1–256 characters). */
            databaseName: string;
            /** @description Name of the table (1–256 characters). */
            tableName: string;
        };
        /**
         * @example {
         *       "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
         *       "lastTime": 1767225612000
         *     }
         */
        SourceTime: {
            sourceId: components["schemas"]["ObjectId"];
            /**
             * Format: int64
             * @description Time of the newest row, in milliseconds since the Unix epoch. Absent if the tables of the source have no row or cannot be read.
             */
            lastTime?: number;
        };
        SourceTrace: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "trace";
            /** @description Name (1–255 characters). */
            name: string;
            from: components["schemas"]["SourceTableResult"];
            /**
             * @description Column or expression of the event time.
             * @default Timestamp
             */
            timestampValueExpression: string;
            /** @description Column or expression of the service name. */
            serviceNameExpression?: string;
            /** @description Column with the map of resource attributes. */
            resourceAttributesExpression?: string;
            /** @description Column with the map of event attributes. */
            eventAttributesExpression?: string;
            /** @description Column or expression of the span duration. */
            durationExpression?: string;
            /**
             * Format: int64
             * @description Unit of `durationExpression`: 0 seconds, 3 milliseconds, 6 microseconds, 9 nanoseconds.
             * @enum {integer}
             */
            durationPrecision?: 0 | 3 | 6 | 9;
            /** @description Column or expression of the trace id. */
            traceIdExpression?: string;
            /** @description Column or expression of the span id. */
            spanIdExpression?: string;
            /** @description Column or expression of the parent span id. */
            parentSpanIdExpression?: string;
            /** @description Column or expression of the span name. */
            spanNameExpression?: string;
            /** @description Column or expression of the span kind. */
            spanKindExpression?: string;
            /** @description Column or expression of the status code. */
            statusCodeExpression?: string;
            /** @description Column or expression of the status message. */
            statusMessageExpression?: string;
            /** @description Column or expression that bare words of a Lucene condition search. Default: `spanNameExpression`. */
            implicitColumnExpression?: string;
            /** @description Columns that a search returns if it selects none, comma-separated. */
            defaultTableSelectExpression?: string;
            id: components["schemas"]["ObjectId"];
            team: components["schemas"]["ObjectId"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        Span: {
            /** @description Identity of the row: `POST /search/row` returns its attributes and events. */
            _id: string;
            /** @description Id of the span. */
            spanId: string;
            /** @description Id of the parent span; empty for a root span. */
            parentSpanId: string;
            /** @description Name of the service. */
            serviceName: string;
            /** @description Name of the span. */
            name: string;
            /** @description Kind of the span, such as `Server`. */
            kind: string;
            /**
             * Format: double
             * @description Start, in nanoseconds after the start of the trace.
             */
            startNanos: number;
            /**
             * Format: double
             * @description Duration in nanoseconds.
             */
            durationNanos: number;
            /** @description Status, such as `Error`. */
            statusCode: string;
            /** @description Message of the status. */
            statusMessage: string;
            /**
             * Format: int64
             * @description Number of events.
             */
            events: number;
        };
        /**
         * @example {
         *       "version": "1.0.0",
         *       "time": "2026-03-14T09:26:53.589Z",
         *       "alerts": {
         *         "total": 12,
         *         "lateCount": 0,
         *         "late": [],
         *         "brokenCount": 0,
         *         "broken": []
         *       },
         *       "outbox": {
         *         "waiting": 2,
         *         "oldestAt": "2026-03-14T09:21:00.000Z",
         *         "webhooks": [
         *           {
         *             "id": "65f0c1d2e3a4b5c6d7e8f905",
         *             "name": "ops",
         *             "waiting": 2,
         *             "oldestAt": "2026-03-14T09:21:00.000Z"
         *           }
         *         ]
         *       },
         *       "pipes": {
         *         "total": 3,
         *         "failingCount": 1,
         *         "failing": [
         *           {
         *             "id": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
         *             "name": "orders",
         *             "state": "Failed",
         *             "message": "the broker refuses the password. Correct it, then start the pipe.",
         *             "since": "2026-03-14T08:00:00.000Z"
         *           }
         *         ]
         *       },
         *       "ingest": {
         *         "windowSeconds": 300,
         *         "storedRecords": 364500,
         *         "recordsPerSecond": 1215,
         *         "rejectedRecords": 0,
         *         "refusedRequests": 0
         *       },
         *       "server": {
         *         "nodes": [
         *           {
         *             "id": "embedded",
         *             "host": "sightline-0",
         *             "processId": 7,
         *             "version": "1.0.0",
         *             "roles": [
         *               "api",
         *               "ui",
         *               "ingest",
         *               "alerts",
         *               "pipes"
         *             ],
         *             "state": "running",
         *             "startedAt": "2026-03-13T07:00:00.000Z",
         *             "lastSeenAt": "2026-03-14T09:26:50.000Z",
         *             "memoryBytes": 310378496,
         *             "disk": {
         *               "freeBytes": 61203283968,
         *               "totalBytes": 107374182400
         *             },
         *             "alertShards": [
         *               0,
         *               1,
         *               2,
         *               3,
         *               4,
         *               5,
         *               6,
         *               7,
         *               8,
         *               9,
         *               10,
         *               11,
         *               12,
         *               13,
         *               14,
         *               15
         *             ],
         *             "pipeReaders": 2,
         *             "pipes": [
         *               "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f"
         *             ]
         *           }
         *         ],
         *         "freeAlertShards": [],
         *         "engines": [
         *           {
         *             "disks": [
         *               {
         *                 "name": "default",
         *                 "freeBytes": 61203283968,
         *                 "totalBytes": 107374182400
         *               }
         *             ],
         *             "memory": {
         *               "usedBytes": 734003200,
         *               "limitBytes": 3435973836
         *             },
         *             "parts": {
         *               "active": 412,
         *               "mostInPartition": 9,
         *               "broken": 0,
         *               "detached": 0
         *             },
         *             "errors": []
         *           }
         *         ]
         *       }
         *     }
         */
        Status: {
            /** @description Version of the process that responds. */
            version: string;
            /** @description Time of the response. */
            time: components["schemas"]["Timestamp"];
            alerts: components["schemas"]["AlertsStatus"];
            outbox: components["schemas"]["OutboxStatus"];
            pipes: components["schemas"]["PipesStatus"];
            ingest: components["schemas"]["IngestStatus"];
            /** @description Only for users with the role admin in the organization of the first start. It names no object of another team. */
            server?: components["schemas"]["ServerStatus"];
        };
        TableColumn: {
            /** @description Name of the column. */
            name: string;
            /** @description ClickHouse type. */
            type: string;
        };
        TableRead: {
            /** @description Name of the table. */
            table: string;
            /**
             * Format: int64
             * @description Number of parts to read.
             */
            parts: number;
            /**
             * Format: int64
             * @description Number of rows to read.
             */
            rows: number;
            /**
             * Format: int64
             * @description Number of marks (granules) to read.
             */
            marks: number;
        };
        /**
         * @example {
         *       "id": "65f0c1d2e3a4b5c6d7e8f900",
         *       "name": "Example shop"
         *     }
         */
        Team: {
            id: components["schemas"]["ObjectId"];
            /** @description Name of the team. */
            name: string;
        };
        TeamChange: {
            /** @description Name of the team (1–255 characters). Outer spaces are removed. */
            name: string;
        };
        /**
         * @example {
         *       "databaseName": "telemetry",
         *       "tableName": "otel_logs",
         *       "kind": "table",
         *       "columns": [
         *         {
         *           "name": "Timestamp",
         *           "type": "DateTime64(9)"
         *         },
         *         {
         *           "name": "Body",
         *           "type": "String"
         *         }
         *       ],
         *       "sourceKinds": [
         *         "log"
         *       ]
         *     }
         */
        TelemetryTable: {
            /** @description Database of the table. */
            databaseName: string;
            /** @description Name of the table. */
            tableName: string;
            /**
             * @description `view` includes materialized views.
             * @enum {string}
             */
            kind: "table" | "view";
            /** @description Columns in the order of the table. */
            columns: components["schemas"]["TableColumn"][];
            /** @description Kinds of source that the columns fit, the best one first. Empty if there is no time. */
            sourceKinds: components["schemas"]["SourceKind"][];
            /** @description Metric type that the columns fit; only for tables of metrics. */
            metricDataType?: components["schemas"]["MetricDataType"];
        };
        /**
         * @description Comparison of the value with `threshold`: `above` is ≥, `above_exclusive` is >, `below` is <, `below_or_equal` is ≤. `between` and `not_between` also require `thresholdMax`; both ends belong to the range.
         * @enum {string}
         */
        ThresholdType: "above" | "below" | "above_exclusive" | "below_or_equal" | "equal" | "not_equal" | "between" | "not_between";
        Tile: {
            id: components["schemas"]["ObjectId"];
            /**
             * @description Title of the tile (at most 1024 characters, default empty).
             * @default
             */
            name: string;
            /** @description Left column on the grid (0–23). */
            x: number;
            /** @description Top row on the grid (0–100000). */
            y: number;
            /** @description Width in columns (1–24). */
            w: number;
            /** @description Height in rows (1–100000). */
            h: number;
            /** @description Id of a filter of the dashboard (1–64 characters). The web interface shows the tile once for each value of this filter. An id that no filter has is ignored. */
            repeatBy?: string;
            config: components["schemas"]["TileConfigResult"];
        };
        TileConfig: components["schemas"]["TileConfigLine"] | components["schemas"]["TileConfigStackedBar"] | components["schemas"]["TileConfigNumber"] | components["schemas"]["TileConfigTable"] | components["schemas"]["TileConfigPie"] | components["schemas"]["TileConfigSearch"] | components["schemas"]["TileConfigMarkdown"];
        TileConfigLine: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            displayType: "line";
            sourceId: components["schemas"]["ObjectId"];
            /** @description Values to show (1–20). */
            select: components["schemas"]["TileSelect"][];
            groupBy?: components["schemas"]["TileGroupBy"];
            /** @description If true, show the first value divided by the second. Requires exactly two values. */
            asRatio?: boolean;
            numberFormat?: components["schemas"]["NumberFormat"];
            granularity?: components["schemas"]["Granularity"];
        };
        TileConfigMarkdown: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            displayType: "markdown";
            /** @description Markdown text (at most 65536 characters). */
            markdown: string;
        };
        TileConfigNumber: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            displayType: "number";
            sourceId: components["schemas"]["ObjectId"];
            /** @description Values to show (1–20). */
            select: components["schemas"]["TileSelect"][];
            groupBy?: components["schemas"]["TileGroupBy"];
            /** @description If true, show the first value divided by the second. Requires exactly two values. */
            asRatio?: boolean;
            numberFormat?: components["schemas"]["NumberFormat"];
            granularity?: components["schemas"]["Granularity"];
        };
        TileConfigPie: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            displayType: "pie";
            sourceId: components["schemas"]["ObjectId"];
            /** @description Values to show (1–20). */
            select: components["schemas"]["TileSelect"][];
            groupBy?: components["schemas"]["TileGroupBy"];
            /** @description If true, show the first value divided by the second. Requires exactly two values. */
            asRatio?: boolean;
            numberFormat?: components["schemas"]["NumberFormat"];
            granularity?: components["schemas"]["Granularity"];
        };
        TileConfigResult: components["schemas"]["TileConfigResultLine"] | components["schemas"]["TileConfigResultStackedBar"] | components["schemas"]["TileConfigResultNumber"] | components["schemas"]["TileConfigResultTable"] | components["schemas"]["TileConfigResultPie"] | components["schemas"]["TileConfigResultSearch"] | components["schemas"]["TileConfigResultMarkdown"];
        TileConfigResultLine: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            displayType: "line";
            sourceId: components["schemas"]["ObjectId"];
            /** @description Values to show (1–20). */
            select: components["schemas"]["TileSelectResult"][];
            groupBy?: components["schemas"]["TileGroupBy"];
            /** @description If true, show the first value divided by the second. Requires exactly two values. */
            asRatio?: boolean;
            numberFormat?: components["schemas"]["NumberFormatResult"];
            granularity?: components["schemas"]["Granularity"];
        };
        TileConfigResultMarkdown: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            displayType: "markdown";
            /** @description Markdown text (at most 65536 characters). */
            markdown: string;
        };
        TileConfigResultNumber: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            displayType: "number";
            sourceId: components["schemas"]["ObjectId"];
            /** @description Values to show (1–20). */
            select: components["schemas"]["TileSelectResult"][];
            groupBy?: components["schemas"]["TileGroupBy"];
            /** @description If true, show the first value divided by the second. Requires exactly two values. */
            asRatio?: boolean;
            numberFormat?: components["schemas"]["NumberFormatResult"];
            granularity?: components["schemas"]["Granularity"];
        };
        TileConfigResultPie: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            displayType: "pie";
            sourceId: components["schemas"]["ObjectId"];
            /** @description Values to show (1–20). */
            select: components["schemas"]["TileSelectResult"][];
            groupBy?: components["schemas"]["TileGroupBy"];
            /** @description If true, show the first value divided by the second. Requires exactly two values. */
            asRatio?: boolean;
            numberFormat?: components["schemas"]["NumberFormatResult"];
            granularity?: components["schemas"]["Granularity"];
        };
        TileConfigResultSearch: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            displayType: "search";
            sourceId: components["schemas"]["ObjectId"];
            /** @description Columns, comma-separated. Default: the columns that the source defines. */
            select?: string;
            /** @description Condition that rows must match; empty matches all rows. */
            where?: string;
            whereLanguage?: components["schemas"]["WhereLanguage"];
            /** @description Columns or expressions, each with optional ASC or DESC. Default: newest first. */
            orderBy?: string;
        };
        TileConfigResultStackedBar: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            displayType: "stacked_bar";
            sourceId: components["schemas"]["ObjectId"];
            /** @description Values to show (1–20). */
            select: components["schemas"]["TileSelectResult"][];
            groupBy?: components["schemas"]["TileGroupBy"];
            /** @description If true, show the first value divided by the second. Requires exactly two values. */
            asRatio?: boolean;
            numberFormat?: components["schemas"]["NumberFormatResult"];
            granularity?: components["schemas"]["Granularity"];
        };
        TileConfigResultTable: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            displayType: "table";
            sourceId: components["schemas"]["ObjectId"];
            /** @description Values to show (1–20). */
            select: components["schemas"]["TileSelectResult"][];
            groupBy?: components["schemas"]["TileGroupBy"];
            /** @description If true, show the first value divided by the second. Requires exactly two values. */
            asRatio?: boolean;
            numberFormat?: components["schemas"]["NumberFormatResult"];
            granularity?: components["schemas"]["Granularity"];
        };
        TileConfigSearch: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            displayType: "search";
            sourceId: components["schemas"]["ObjectId"];
            /** @description Columns, comma-separated. Default: the columns that the source defines. */
            select?: string;
            /** @description Condition that rows must match; empty matches all rows. */
            where?: string;
            whereLanguage?: components["schemas"]["WhereLanguage"];
            /** @description Columns or expressions, each with optional ASC or DESC. Default: newest first. */
            orderBy?: string;
        };
        TileConfigStackedBar: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            displayType: "stacked_bar";
            sourceId: components["schemas"]["ObjectId"];
            /** @description Values to show (1–20). */
            select: components["schemas"]["TileSelect"][];
            groupBy?: components["schemas"]["TileGroupBy"];
            /** @description If true, show the first value divided by the second. Requires exactly two values. */
            asRatio?: boolean;
            numberFormat?: components["schemas"]["NumberFormat"];
            granularity?: components["schemas"]["Granularity"];
        };
        TileConfigTable: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            displayType: "table";
            sourceId: components["schemas"]["ObjectId"];
            /** @description Values to show (1–20). */
            select: components["schemas"]["TileSelect"][];
            groupBy?: components["schemas"]["TileGroupBy"];
            /** @description If true, show the first value divided by the second. Requires exactly two values. */
            asRatio?: boolean;
            numberFormat?: components["schemas"]["NumberFormat"];
            granularity?: components["schemas"]["Granularity"];
        };
        /** @description Columns or expressions to group by: comma-separated text, or a list of at most 10. */
        TileGroupBy: string | string[];
        /** @description Tile on a grid of 24 columns. */
        TileInput: {
            /** @description Id of an existing tile of this dashboard. The server replaces any other id with a new one. */
            id?: string | null;
            /**
             * @description Title of the tile (at most 1024 characters, default empty).
             * @default
             */
            name: string;
            /** @description Left column on the grid (0–23). */
            x: number;
            /** @description Top row on the grid (0–100000). */
            y: number;
            /** @description Width in columns (1–24). */
            w: number;
            /** @description Height in rows (1–100000). */
            h: number;
            /** @description Id of a filter of the dashboard (1–64 characters). The web interface shows the tile once for each value of this filter. An id that no filter has is ignored. */
            repeatBy?: string;
            config: components["schemas"]["TileConfig"];
        };
        TileSelect: {
            aggFn: components["schemas"]["AggregateFunction"];
            /** @description Column or expression to aggregate. Required for every function except `count`, unless `metricName` is set. */
            valueExpression?: string;
            /**
             * Format: double
             * @description Quantile level (0–1).
             */
            level?: number;
            /** @description Condition that rows must match; empty matches all rows. */
            where?: string;
            whereLanguage?: components["schemas"]["WhereLanguage"];
            /** @description Name of the value on the chart (at most 255 characters). */
            alias?: string;
            /** @description Name of the metric, for a metric source (1–1024 characters). */
            metricName?: string;
            metricType?: components["schemas"]["MetricDataType"];
        };
        TileSelectResult: {
            aggFn: components["schemas"]["AggregateFunction"];
            /** @description Column or expression to aggregate. Required for every function except `count`, unless `metricName` is set. */
            valueExpression?: string;
            /**
             * Format: double
             * @description Quantile level (0–1).
             */
            level?: number;
            /** @description Condition that rows must match; empty matches all rows. */
            where?: string;
            whereLanguage?: components["schemas"]["WhereLanguage"];
            /** @description Name of the value on the chart (at most 255 characters). */
            alias?: string;
            /** @description Name of the metric, for a metric source (1–1024 characters). */
            metricName?: string;
            metricType?: components["schemas"]["MetricDataType"];
        };
        /**
         * Format: date-time
         * @description ISO 8601 date-time with an offset.
         * @example 2026-03-14T09:26:53.589Z
         */
        Timestamp: string;
        /** @description Groups without a value come last. */
        TotalsOrder: {
            /**
             * @description Index of the series whose value decides (default 0). 0 for a ratio.
             * @default 0
             */
            series: number;
            /**
             * @description `desc`: greatest first (default). `asc`: least first.
             * @default desc
             * @enum {string}
             */
            direction: "desc" | "asc";
        };
        TotalsRequest: {
            /** @description Series to return (1–5). */
            series: components["schemas"]["ChartSeries"][];
            startTime: components["schemas"]["EpochMs"];
            /** @description End of the range, exclusive. */
            endTime: components["schemas"]["EpochMs"];
            /**
             * @description `column` returns each series. `ratio` requires exactly two series and returns the first divided by the second.
             * @default column
             * @enum {string}
             */
            seriesReturnType: "column" | "ratio";
            /**
             * @default {
             *       "series": 0,
             *       "direction": "desc"
             *     }
             */
            orderBy: components["schemas"]["TotalsOrder"];
            /**
             * @description Maximum number of groups to return (1–1000, default 100).
             * @default 100
             */
            limit: number;
            /**
             * @description Whether to return the groups beyond `limit` together (default true).
             * @default true
             */
            other: boolean;
        };
        /**
         * @example {
         *       "rows": [
         *         {
         *           "group": [
         *             "checkout"
         *           ],
         *           "series_0.data": 42
         *         },
         *         {
         *           "group": [
         *             "payment"
         *           ],
         *           "series_0.data": 7
         *         }
         *       ],
         *       "other": {
         *         "series_0.data": 3
         *       },
         *       "groups": 4
         *     }
         */
        TotalsResult: {
            /** @description One row for each group, in order. */
            rows: components["schemas"]["TotalsRow"][];
            /** @description All groups beyond `limit` as one, computed from their data. Absent if there are none. */
            other?: components["schemas"]["TotalsRow"];
            /**
             * Format: int64
             * @description Number of all groups.
             */
            groups: number;
        };
        TotalsRow: {
            /** @description Values of `groupBy`, in the same order. */
            group?: string[];
        } & {
            [key: string]: unknown | (number | null);
        };
        /**
         * @example {
         *       "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
         *       "sourceId": "65f0c1d2e3a4b5c6d7e8f902",
         *       "startTime": 1767225612345,
         *       "endTime": 1767225612392,
         *       "startNanos": "1767225612345678900",
         *       "durationNanos": 46100000,
         *       "spanCount": 1,
         *       "truncated": false,
         *       "spans": [
         *         {
         *           "_id": "1767225612345678900-8993a009869b81274a7202843b2e9445",
         *           "spanId": "00f067aa0ba902b7",
         *           "parentSpanId": "",
         *           "serviceName": "checkout",
         *           "name": "POST /pay",
         *           "kind": "Server",
         *           "startNanos": 0,
         *           "durationNanos": 46100000,
         *           "statusCode": "Error",
         *           "statusMessage": "card declined",
         *           "events": 1
         *         }
         *       ]
         *     }
         */
        Trace: {
            /** @description Id of the trace. */
            traceId: string;
            sourceId: components["schemas"]["ObjectId"];
            /** @description Start of the earliest span, in milliseconds since the Unix epoch, rounded down. */
            startTime: components["schemas"]["EpochMs"];
            /** @description End of the latest span, in milliseconds since the Unix epoch, rounded up. */
            endTime: components["schemas"]["EpochMs"];
            /** @description Start of the earliest span, in nanoseconds since the Unix epoch. */
            startNanos: string;
            /**
             * Format: double
             * @description From the start of the earliest to the end of the latest span.
             */
            durationNanos: number;
            /**
             * Format: int64
             * @description Number of spans of the trace.
             */
            spanCount: number;
            /** @description Whether `spans` has only the earliest 20,000 spans of the trace. */
            truncated: boolean;
            /** @description Spans in order of their start. */
            spans: components["schemas"]["Span"][];
        };
        UsedIndex: {
            /** @description Name of the table. */
            table: string;
            /** @description Type of the index, such as `PrimaryKey` or `Skip`. */
            type: string;
            /** @description Name of a skip index. */
            name?: string;
            /** @description Columns of the index. */
            keys?: string[];
            /**
             * Format: int64
             * @description Number of parts before the index is used.
             */
            parts: number;
            /**
             * Format: int64
             * @description Number of parts that remain.
             */
            selectedParts: number;
            /**
             * Format: int64
             * @description Number of granules before the index is used.
             */
            granules: number;
            /**
             * Format: int64
             * @description Number of granules that remain.
             */
            selectedGranules: number;
        };
        /**
         * @description `member` can use and change everything of the team, and read pipes. `admin` can also rename the team, manage members, pipes and API keys, create and rename services, rename the organization, read the audit trail, run the demo shop and see the state of the server.
         * @enum {string}
         */
        UserRole: "member" | "admin";
        /** @example 7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f */
        Uuid: string;
        /**
         * @example {
         *       "id": "65f0c1d2e3a4b5c6d7e8f902",
         *       "name": "on-call",
         *       "service": "generic",
         *       "url": "https://hooks.example.com/alerts",
         *       "description": "Pages the on-call engineer",
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "updatedAt": "2026-03-14T09:26:53.589Z"
         *     }
         */
        Webhook: {
            id: components["schemas"]["ObjectId"];
            /** @description Name, unique among the webhooks of the service. */
            name: string;
            service: components["schemas"]["WebhookService"];
            /** @description URL that receives the notifications. Callers without permission to change webhooks see `***` instead of its path and query. */
            url: string;
            /** @description Note about the webhook. */
            description?: string;
            /** @description Template that replaces the default body of the service; absent if there is none. */
            body?: string;
            /** @description Names of the stored headers. Absent if there is none, and for callers without permission to change webhooks. */
            headerNames?: string[];
            /** @description Names of the stored query parameters. Absent if there is none, and for callers without permission to change webhooks. */
            queryParamNames?: string[];
            /** @description True if a signing secret is stored. Absent if there is none, and for callers without permission to change webhooks. */
            hasSecret?: boolean;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        /** @description Omitted fields keep their value. Changing `url` removes the stored `headers`, `queryParams` and `secret` unless the request sends them again. */
        WebhookChange: {
            /**
             * @description Name, unique among the webhooks of the service (1–255 characters).
             * @example on-call
             */
            name?: string;
            service?: components["schemas"]["WebhookService"];
            /**
             * @description URL that receives the notifications. Private, loopback and link-local addresses are rejected unless the operator allows them.
             * @example https://hooks.example.com/alerts
             */
            url?: string;
            /** @description Note about the webhook (at most 1024 characters). */
            description?: string | null;
            /** @description Template that replaces the default body of the service: JSON with {{variable}} placeholders for values of the event. */
            body?: string | null;
            headers?: {
                [key: string]: string;
            } | null;
            queryParams?: {
                [key: string]: string;
            } | null;
            /** @description Secret used to sign deliveries according to Standard Webhooks. Write-only. */
            secret?: string | null;
        };
        /** @description Fields of a webhook before it is saved. Without `id`, `service` and `url` are required. */
        WebhookDraft: {
            /**
             * @description Name, unique among the webhooks of the service (1–255 characters).
             * @example on-call
             */
            name?: string;
            service?: components["schemas"]["WebhookService"];
            /**
             * @description URL that receives the notifications. Private, loopback and link-local addresses are rejected unless the operator allows them.
             * @example https://hooks.example.com/alerts
             */
            url?: string;
            /** @description Note about the webhook (at most 1024 characters). */
            description?: string | null;
            /** @description Template that replaces the default body of the service: JSON with {{variable}} placeholders for values of the event. */
            body?: string | null;
            headers?: {
                [key: string]: string;
            } | null;
            queryParams?: {
                [key: string]: string;
            } | null;
            /** @description Secret used to sign deliveries according to Standard Webhooks. Write-only. */
            secret?: string | null;
            /** @description Id of a webhook whose stored fields and secrets replace omitted ones, as in an update. */
            id?: components["schemas"]["ObjectId"] | null;
        };
        /** @enum {string} */
        WebhookEventType: "alert.firing" | "alert.resolved" | "alert.test";
        WebhookInput: {
            /**
             * @description Name, unique among the webhooks of the service (1–255 characters).
             * @example on-call
             */
            name: string;
            service: components["schemas"]["WebhookService"];
            /**
             * @description URL that receives the notifications. Private, loopback and link-local addresses are rejected unless the operator allows them.
             * @example https://hooks.example.com/alerts
             */
            url: string;
            /** @description Note about the webhook (at most 1024 characters). */
            description?: string | null;
            /** @description Template that replaces the default body of the service: JSON with {{variable}} placeholders for values of the event. */
            body?: string | null;
            headers?: {
                [key: string]: string;
            } | null;
            queryParams?: {
                [key: string]: string;
            } | null;
            /** @description Secret used to sign deliveries according to Standard Webhooks. Write-only. */
            secret?: string | null;
        };
        /**
         * @description Format of the request body.
         * @enum {string}
         */
        WebhookService: "generic" | "slack" | "incidentio" | "pagerduty";
        /**
         * @example {
         *       "delivered": true,
         *       "status": 200,
         *       "body": "ok",
         *       "elapsedMs": 41.7
         *     }
         */
        WebhookTestResult: {
            /** @description True if the receiver responded with a 2xx status. */
            delivered: boolean;
            /**
             * Format: int64
             * @description HTTP status of the response; absent if the receiver did not respond.
             */
            status?: number;
            /** @description Beginning of the response body. */
            body?: string;
            /** @description Reason for a failed delivery; absent if it succeeded. */
            error?: string;
            /**
             * Format: double
             * @description Duration of the request, in milliseconds.
             */
            elapsedMs: number;
        };
        /** @enum {string} */
        WhereLanguage: "lucene" | "sql";
    };
    responses: {
        /** @description The request is invalid; `errors` lists every invalid field */
        bad_request: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "name: must have at least 1 character",
                 *       "code": "bad_request",
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                 *       "errors": [
                 *         {
                 *           "path": "name",
                 *           "message": "must have at least 1 character"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request has no valid credential */
        unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "a valid credential is needed",
                 *       "code": "unauthorized",
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential does not permit this operation */
        forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "this credential does not permit createAlert: it needs the scope stack:write",
                 *       "code": "forbidden",
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The object does not exist or belongs to another owner */
        not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "alert not found",
                 *       "code": "not_found",
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request did not arrive in time */
        request_timeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "the request was not complete in time",
                 *       "code": "bad_request",
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request conflicts with the current state */
        conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "the Idempotency-Key was used for another request",
                 *       "code": "conflict",
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The version in `If-Match` is not current */
        precondition_failed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "the alert has changed since it was read: get it again and repeat the change",
                 *       "code": "precondition_failed",
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 10 MiB */
        payload_too_large: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "the body is larger than 10 MiB",
                 *       "code": "payload_too_large",
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not application/json */
        unsupported_media_type: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "the body must be application/json, not compressed",
                 *       "code": "unsupported_media_type",
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests; retry after `Retry-After` seconds */
        rate_limited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Policy": components["headers"]["X-RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "more than 1000 requests in 10 s: try again in 7 s",
                 *       "code": "rate_limited",
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path and headers together exceed 16 KiB */
        headers_too_large: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "the headers are larger than 16 KiB",
                 *       "code": "bad_request",
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unexpected server error */
        internal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "an unexpected error occurred; quote the request id when you report it",
                 *       "code": "internal",
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A required component is unavailable; retry after `Retry-After` seconds */
        unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "the metadata store cannot be reached",
                 *       "code": "unavailable",
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The query exceeded its time limit */
        timeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "the query took too long and was stopped: ask for a shorter range or a narrower condition",
                 *       "code": "timeout",
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Unique id of the request, a UUID v4
         * @example b1f7e6d5-4c3b-4a29-9807-16253443526a
         */
        "X-Request-Id": string;
        /**
         * @description Version of the resource, for `If-Match`. Responses with a single resource include it.
         * @example "3"
         */
        ETag: string;
        /**
         * @description Total number of items
         * @example 1
         */
        "X-Total-Count": number;
        /**
         * @description Number of rows that the engine read for the request; 0 if the result was cached
         * @example 120400
         */
        "X-Sightline-Rows-Read": number;
        /**
         * @description Duration of the queries in milliseconds
         * @example 38
         */
        "X-Sightline-Elapsed": number;
        /**
         * @description Numbers of the shards of the ClickHouse cluster that did not respond, separated by commas. The result lacks their rows. Absent if the result is whole.
         * @example 2
         */
        "X-Sightline-Missing-Shards": string;
        /**
         * @description Name of the file
         * @example attachment; filename="Logs-20260101T000000Z.csv"
         */
        "Content-Disposition": string;
        /**
         * @description Maximum number of rows in the file
         * @example 1000000
         */
        "X-Sightline-Row-Limit": number;
        /**
         * @description Names of the headers after the file
         * @example X-Sightline-Truncated
         */
        Trailer: string;
        /**
         * @description After the file: `true` if more rows match than the file has
         * @example false
         */
        "X-Sightline-Truncated": string;
        /**
         * @description Seconds to wait before a retry
         * @example 5
         */
        "Retry-After": number;
        /**
         * @description Required authentication scheme
         * @example Bearer realm="sightline"
         */
        "WWW-Authenticate": string;
        /**
         * @description Maximum number of requests per window
         * @example 1000
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Remaining requests in this window
         * @example 998
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description Seconds until the next window
         * @example 7
         */
        "X-RateLimit-Reset": number;
        /**
         * @description `<requests>;w=<seconds>`
         * @example 1000;w=10
         */
        "X-RateLimit-Policy": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listDashboards: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f904",
                     *           "name": "Checkout",
                     *           "tags": [
                     *             "shop"
                     *           ],
                     *           "filters": [],
                     *           "savedQuery": "",
                     *           "savedQueryLanguage": "lucene",
                     *           "createdAt": "2026-03-14T09:26:53.589Z",
                     *           "updatedAt": "2026-03-14T09:26:53.589Z",
                     *           "tiles": [
                     *             {
                     *               "id": "65f0c1d2e3a4b5c6d7e8f905",
                     *               "name": "Errors",
                     *               "x": 0,
                     *               "y": 0,
                     *               "w": 12,
                     *               "h": 4,
                     *               "config": {
                     *                 "displayType": "line",
                     *                 "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                     *                 "select": [
                     *                   {
                     *                     "aggFn": "count",
                     *                     "where": "SeverityText:error"
                     *                   }
                     *                 ],
                     *                 "groupBy": "ServiceName"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 1000,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Dashboard"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createDashboard: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Checkout",
                 *       "tiles": [
                 *         {
                 *           "name": "Errors",
                 *           "x": 0,
                 *           "y": 0,
                 *           "w": 12,
                 *           "h": 4,
                 *           "config": {
                 *             "displayType": "line",
                 *             "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                 *             "select": [
                 *               {
                 *                 "aggFn": "count",
                 *                 "where": "SeverityText:error"
                 *               }
                 *             ],
                 *             "groupBy": "ServiceName"
                 *           }
                 *         }
                 *       ],
                 *       "tags": [
                 *         "shop"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DashboardInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f904",
                     *         "name": "Checkout",
                     *         "tags": [
                     *           "shop"
                     *         ],
                     *         "filters": [],
                     *         "savedQuery": "",
                     *         "savedQueryLanguage": "lucene",
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z",
                     *         "tiles": [
                     *           {
                     *             "id": "65f0c1d2e3a4b5c6d7e8f905",
                     *             "name": "Errors",
                     *             "x": 0,
                     *             "y": 0,
                     *             "w": 12,
                     *             "h": 4,
                     *             "config": {
                     *               "displayType": "line",
                     *               "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                     *               "select": [
                     *                 {
                     *                   "aggFn": "count",
                     *                   "where": "SeverityText:error"
                     *                 }
                     *               ],
                     *               "groupBy": "ServiceName"
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Dashboard"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listDashboardSummaries: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f904",
                     *           "name": "Checkout",
                     *           "tags": [
                     *             "shop"
                     *           ],
                     *           "tileCount": 12,
                     *           "createdAt": "2026-03-14T09:26:53.589Z",
                     *           "updatedAt": "2026-03-14T09:26:53.589Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 1000,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DashboardSummary"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    validateDashboard: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Checkout",
                 *       "tiles": [
                 *         {
                 *           "name": "Errors",
                 *           "x": 0,
                 *           "y": 0,
                 *           "w": 12,
                 *           "h": 4,
                 *           "config": {
                 *             "displayType": "line",
                 *             "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                 *             "select": [
                 *               {
                 *                 "aggFn": "count",
                 *                 "where": "SeverityText:error"
                 *               }
                 *             ],
                 *             "groupBy": "ServiceName"
                 *           }
                 *         }
                 *       ],
                 *       "tags": [
                 *         "shop"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DashboardInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "valid": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @example {
                         *       "valid": true
                         *     }
                         */
                        data: {
                            /** @description Always true: mistakes are a 400. */
                            valid: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getDashboard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f904",
                     *         "name": "Checkout",
                     *         "tags": [
                     *           "shop"
                     *         ],
                     *         "filters": [],
                     *         "savedQuery": "",
                     *         "savedQueryLanguage": "lucene",
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z",
                     *         "tiles": [
                     *           {
                     *             "id": "65f0c1d2e3a4b5c6d7e8f905",
                     *             "name": "Errors",
                     *             "x": 0,
                     *             "y": 0,
                     *             "w": 12,
                     *             "h": 4,
                     *             "config": {
                     *               "displayType": "line",
                     *               "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                     *               "select": [
                     *                 {
                     *                   "aggFn": "count",
                     *                   "where": "SeverityText:error"
                     *                 }
                     *               ],
                     *               "groupBy": "ServiceName"
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Dashboard"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateDashboard: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Checkout and payment"
                 *     }
                 */
                "application/json": components["schemas"]["DashboardChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f904",
                     *         "name": "Checkout",
                     *         "tags": [
                     *           "shop"
                     *         ],
                     *         "filters": [],
                     *         "savedQuery": "",
                     *         "savedQueryLanguage": "lucene",
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z",
                     *         "tiles": [
                     *           {
                     *             "id": "65f0c1d2e3a4b5c6d7e8f905",
                     *             "name": "Errors",
                     *             "x": 0,
                     *             "y": 0,
                     *             "w": 12,
                     *             "h": 4,
                     *             "config": {
                     *               "displayType": "line",
                     *               "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                     *               "select": [
                     *                 {
                     *                   "aggFn": "count",
                     *                   "where": "SeverityText:error"
                     *                 }
                     *               ],
                     *               "groupBy": "ServiceName"
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Dashboard"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteDashboard: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
                /** @description Number of last evaluations to return with each alert (1–100). */
                recent?: number;
                /** @description Tags, comma-separated. Only alerts that have all of them are returned. */
                tags?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f903",
                     *           "name": "Checkout errors",
                     *           "threshold": 10,
                     *           "interval": "5m",
                     *           "thresholdType": "above",
                     *           "source": "search",
                     *           "state": "firing",
                     *           "channel": {
                     *             "type": "webhook",
                     *             "webhookId": "65f0c1d2e3a4b5c6d7e8f902"
                     *           },
                     *           "team": "65f0c1d2e3a4b5c6d7e8f900",
                     *           "savedSearch": "65f0c1d2e3a4b5c6d7e8f901",
                     *           "silenced": false,
                     *           "lastEvaluatedAt": "2026-03-14T09:30:05.000Z",
                     *           "lastValue": 12,
                     *           "createdAt": "2026-03-14T09:26:53.589Z",
                     *           "updatedAt": "2026-03-14T09:26:53.589Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 1000,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Alert"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Checkout errors",
                 *       "threshold": 10,
                 *       "thresholdType": "above",
                 *       "interval": "5m",
                 *       "source": "search",
                 *       "savedSearchId": "65f0c1d2e3a4b5c6d7e8f901",
                 *       "channel": {
                 *         "type": "webhook",
                 *         "webhookId": "65f0c1d2e3a4b5c6d7e8f902"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AlertInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f903",
                     *         "name": "Checkout errors",
                     *         "threshold": 10,
                     *         "interval": "5m",
                     *         "thresholdType": "above",
                     *         "source": "search",
                     *         "state": "firing",
                     *         "channel": {
                     *           "type": "webhook",
                     *           "webhookId": "65f0c1d2e3a4b5c6d7e8f902"
                     *         },
                     *         "team": "65f0c1d2e3a4b5c6d7e8f900",
                     *         "savedSearch": "65f0c1d2e3a4b5c6d7e8f901",
                     *         "silenced": false,
                     *         "lastEvaluatedAt": "2026-03-14T09:30:05.000Z",
                     *         "lastValue": 12,
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Alert"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f903",
                     *         "name": "Checkout errors",
                     *         "threshold": 10,
                     *         "interval": "5m",
                     *         "thresholdType": "above",
                     *         "source": "search",
                     *         "state": "firing",
                     *         "channel": {
                     *           "type": "webhook",
                     *           "webhookId": "65f0c1d2e3a4b5c6d7e8f902"
                     *         },
                     *         "team": "65f0c1d2e3a4b5c6d7e8f900",
                     *         "savedSearch": "65f0c1d2e3a4b5c6d7e8f901",
                     *         "silenced": false,
                     *         "lastEvaluatedAt": "2026-03-14T09:30:05.000Z",
                     *         "lastValue": 12,
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Alert"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateAlert: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "threshold": 25
                 *     }
                 */
                "application/json": components["schemas"]["AlertChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f903",
                     *         "name": "Checkout errors",
                     *         "threshold": 10,
                     *         "interval": "5m",
                     *         "thresholdType": "above",
                     *         "source": "search",
                     *         "state": "firing",
                     *         "channel": {
                     *           "type": "webhook",
                     *           "webhookId": "65f0c1d2e3a4b5c6d7e8f902"
                     *         },
                     *         "team": "65f0c1d2e3a4b5c6d7e8f900",
                     *         "savedSearch": "65f0c1d2e3a4b5c6d7e8f901",
                     *         "silenced": false,
                     *         "lastEvaluatedAt": "2026-03-14T09:30:05.000Z",
                     *         "lastValue": 12,
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Alert"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteAlert: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    previewAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "threshold": 10,
                 *       "thresholdType": "above",
                 *       "interval": "5m",
                 *       "source": "search",
                 *       "savedSearchId": "65f0c1d2e3a4b5c6d7e8f901",
                 *       "windows": 12
                 *     }
                 */
                "application/json": components["schemas"]["AlertPreviewInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "windows": [
                     *           {
                     *             "windowStart": "2026-03-14T09:25:00.000Z",
                     *             "windowEnd": "2026-03-14T09:30:00.000Z",
                     *             "state": "firing",
                     *             "value": 12,
                     *             "reason": "breached"
                     *           }
                     *         ],
                     *         "notifications": [
                     *           {
                     *             "windowEnd": "2026-03-14T09:30:00.000Z",
                     *             "state": "firing",
                     *             "reason": "breached",
                     *             "group": [],
                     *             "value": 12,
                     *             "title": "Checkout errors is firing"
                     *           }
                     *         ],
                     *         "state": "firing"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AlertPreview"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    getAlertHistory: {
        parameters: {
            query?: {
                /** @description Maximum number of evaluations to return (1–1000, default 100). */
                limit?: string;
                /** @description Return windows that ended before this time. For the next page, pass the `windowEnd` of the last item. */
                before?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "windowStart": "2026-03-14T09:25:00.000Z",
                     *           "windowEnd": "2026-03-14T09:30:00.000Z",
                     *           "evaluatedAt": "2026-03-14T09:30:05.000Z",
                     *           "state": "firing",
                     *           "value": 12,
                     *           "reason": "breached",
                     *           "durationMs": 8.4,
                     *           "rowsRead": 24576
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 1000,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AlertEvaluation"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listAlertDeliveries: {
        parameters: {
            query?: {
                /** @description Maximum number of deliveries to return (1–200, default 50). */
                limit?: number;
                /** @description `cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deliveries": [
                     *           {
                     *             "eventId": "evt_5f0c1d2e3a4b5c6d7e8f90a1b2c3d4e5",
                     *             "alertId": "65f0c1d2e3a4b5c6d7e8f903",
                     *             "webhookId": "65f0c1d2e3a4b5c6d7e8f902",
                     *             "type": "alert.firing",
                     *             "reason": "fired",
                     *             "title": "Checkout errors is firing",
                     *             "incidentId": "inc_91ab1d2e3a4b5c6d7e8f90a1b2c3d4e5",
                     *             "group": [],
                     *             "windowEnd": "2026-03-14T09:30:00.000Z",
                     *             "createdAt": "2026-03-14T09:30:05.000Z",
                     *             "status": "delivered",
                     *             "attemptCount": 1,
                     *             "attempts": [
                     *               {
                     *                 "at": "2026-03-14T09:30:05.000Z",
                     *                 "status": 200,
                     *                 "elapsedMs": 41,
                     *                 "body": "{\"ok\":true}"
                     *               }
                     *             ],
                     *             "settledAt": "2026-03-14T09:30:05.100Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeliveryPage"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    explainAlert: {
        parameters: {
            query?: {
                /** @description End of the window, the same as `windowEnd` in the history, or a time within it. If absent, the last evaluated window is explained. */
                window?: components["schemas"]["Timestamp"];
                /** @description Values of `groupBy` of the group, as a JSON array. If absent, the group that determined the state of the alert is explained. */
                group?: string;
            };
            header?: never;
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "windowStart": "2026-03-14T09:25:00.000Z",
                     *         "windowEnd": "2026-03-14T09:30:00.000Z",
                     *         "group": [],
                     *         "verdict": "muted",
                     *         "reason": "fired",
                     *         "steps": [
                     *           {
                     *             "step": "threshold",
                     *             "outcome": "passed",
                     *             "text": "The value 12 breaches the threshold (at or above 10)."
                     *           },
                     *           {
                     *             "step": "silence",
                     *             "outcome": "stopped",
                     *             "text": "The alert was silenced."
                     *           }
                     *         ],
                     *         "deliveries": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AlertExplanation"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    silenceAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "until": "2026-03-14T18:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["SilenceInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "silenced": true,
                     *         "silencedUntil": "2026-03-14T18:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Silence"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    unsilenceAlert: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "silenced": true,
                     *         "silencedUntil": "2026-03-14T18:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Silence"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    acknowledgeAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Restarting the payment service"
                 *     }
                 */
                "application/json": components["schemas"]["AcknowledgeInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "acknowledgements": [
                     *           {
                     *             "incidentId": "inc_91ab1d2e3a4b5c6d7e8f90a1b2c3d4e5",
                     *             "group": [],
                     *             "by": {
                     *               "kind": "user",
                     *               "id": "65f0c1d2e3a4b5c6d7e8f906",
                     *               "name": "ada@example.com"
                     *             },
                     *             "at": "2026-03-14T09:31:00.000Z",
                     *             "note": "Restarting the payment service"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Acknowledgements"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    unacknowledgeAlert: {
        parameters: {
            query?: {
                /** @description Values of `groupBy` of the group, as a JSON array. If absent, all acknowledgements are withdrawn. */
                group?: string;
            };
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "acknowledgements": [
                     *           {
                     *             "incidentId": "inc_91ab1d2e3a4b5c6d7e8f90a1b2c3d4e5",
                     *             "group": [],
                     *             "by": {
                     *               "kind": "user",
                     *               "id": "65f0c1d2e3a4b5c6d7e8f906",
                     *               "name": "ada@example.com"
                     *             },
                     *             "at": "2026-03-14T09:31:00.000Z",
                     *             "note": "Restarting the payment service"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Acknowledgements"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listMaintenanceWindows: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f907",
                     *           "name": "Database upgrade",
                     *           "schedule": {
                     *             "type": "cron",
                     *             "expression": "0 2 * * SUN",
                     *             "timeZone": "Europe/Berlin",
                     *             "duration": "2h"
                     *           },
                     *           "alerts": {
                     *             "all": false,
                     *             "ids": [],
                     *             "tags": [
                     *               "database"
                     *             ]
                     *           },
                     *           "active": false,
                     *           "occurrence": {
                     *             "from": "2026-03-15T01:00:00.000Z",
                     *             "to": "2026-03-15T03:00:00.000Z"
                     *           },
                     *           "createdAt": "2026-03-14T09:26:53.589Z",
                     *           "updatedAt": "2026-03-14T09:26:53.589Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 1000,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MaintenanceWindow"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createMaintenanceWindow: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Database upgrade",
                 *       "schedule": {
                 *         "type": "once",
                 *         "from": "2026-03-15T01:00:00Z",
                 *         "to": "2026-03-15T03:00:00Z"
                 *       },
                 *       "alerts": {
                 *         "tags": [
                 *           "database"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MaintenanceInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f907",
                     *         "name": "Database upgrade",
                     *         "schedule": {
                     *           "type": "cron",
                     *           "expression": "0 2 * * SUN",
                     *           "timeZone": "Europe/Berlin",
                     *           "duration": "2h"
                     *         },
                     *         "alerts": {
                     *           "all": false,
                     *           "ids": [],
                     *           "tags": [
                     *             "database"
                     *           ]
                     *         },
                     *         "active": false,
                     *         "occurrence": {
                     *           "from": "2026-03-15T01:00:00.000Z",
                     *           "to": "2026-03-15T03:00:00.000Z"
                     *         },
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MaintenanceWindow"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getMaintenanceWindow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f907",
                     *         "name": "Database upgrade",
                     *         "schedule": {
                     *           "type": "cron",
                     *           "expression": "0 2 * * SUN",
                     *           "timeZone": "Europe/Berlin",
                     *           "duration": "2h"
                     *         },
                     *         "alerts": {
                     *           "all": false,
                     *           "ids": [],
                     *           "tags": [
                     *             "database"
                     *           ]
                     *         },
                     *         "active": false,
                     *         "occurrence": {
                     *           "from": "2026-03-15T01:00:00.000Z",
                     *           "to": "2026-03-15T03:00:00.000Z"
                     *         },
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MaintenanceWindow"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateMaintenanceWindow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Database upgrade, second part"
                 *     }
                 */
                "application/json": components["schemas"]["MaintenanceChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f907",
                     *         "name": "Database upgrade",
                     *         "schedule": {
                     *           "type": "cron",
                     *           "expression": "0 2 * * SUN",
                     *           "timeZone": "Europe/Berlin",
                     *           "duration": "2h"
                     *         },
                     *         "alerts": {
                     *           "all": false,
                     *           "ids": [],
                     *           "tags": [
                     *             "database"
                     *           ]
                     *         },
                     *         "active": false,
                     *         "occurrence": {
                     *           "from": "2026-03-15T01:00:00.000Z",
                     *           "to": "2026-03-15T03:00:00.000Z"
                     *         },
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MaintenanceWindow"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteMaintenanceWindow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    querySeries: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "series": [
                 *         {
                 *           "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                 *           "aggFn": "count",
                 *           "where": "SeverityText:error",
                 *           "groupBy": [
                 *             "ServiceName"
                 *           ]
                 *         }
                 *       ],
                 *       "startTime": 1767225600000,
                 *       "endTime": 1767229200000,
                 *       "granularity": "1m"
                 *     }
                 */
                "application/json": components["schemas"]["ChartRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Sightline-Rows-Read": components["headers"]["X-Sightline-Rows-Read"];
                    "X-Sightline-Elapsed": components["headers"]["X-Sightline-Elapsed"];
                    "X-Sightline-Missing-Shards": components["headers"]["X-Sightline-Missing-Shards"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "ts_bucket": 1767225600000,
                     *           "series_0.data": 42
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DataPoint"][];
                        partial?: components["schemas"]["PartialResult"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    queryTotals: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "series": [
                 *         {
                 *           "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                 *           "aggFn": "count",
                 *           "where": "SeverityText:error",
                 *           "groupBy": [
                 *             "ServiceName"
                 *           ]
                 *         }
                 *       ],
                 *       "startTime": 1767225600000,
                 *       "endTime": 1767229200000,
                 *       "orderBy": {
                 *         "series": 0,
                 *         "direction": "desc"
                 *       },
                 *       "limit": 2
                 *     }
                 */
                "application/json": components["schemas"]["TotalsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Sightline-Rows-Read": components["headers"]["X-Sightline-Rows-Read"];
                    "X-Sightline-Elapsed": components["headers"]["X-Sightline-Elapsed"];
                    "X-Sightline-Missing-Shards": components["headers"]["X-Sightline-Missing-Shards"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "rows": [
                     *           {
                     *             "group": [
                     *               "checkout"
                     *             ],
                     *             "series_0.data": 42
                     *           },
                     *           {
                     *             "group": [
                     *               "payment"
                     *             ],
                     *             "series_0.data": 7
                     *           }
                     *         ],
                     *         "other": {
                     *           "series_0.data": 3
                     *         },
                     *         "groups": 4
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TotalsResult"];
                        partial?: components["schemas"]["PartialResult"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    queryBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "requests": [
                 *         {
                 *           "type": "series",
                 *           "series": [
                 *             {
                 *               "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                 *               "aggFn": "count",
                 *               "groupBy": [
                 *                 "ServiceName"
                 *               ]
                 *             }
                 *           ],
                 *           "startTime": 1767225600000,
                 *           "endTime": 1767229200000
                 *         },
                 *         {
                 *           "type": "totals",
                 *           "series": [
                 *             {
                 *               "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                 *               "aggFn": "count",
                 *               "where": "SeverityText:error"
                 *             }
                 *           ],
                 *           "startTime": 1767225600000,
                 *           "endTime": 1767229200000
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Sightline-Rows-Read": components["headers"]["X-Sightline-Rows-Read"];
                    "X-Sightline-Elapsed": components["headers"]["X-Sightline-Elapsed"];
                    "X-Sightline-Missing-Shards": components["headers"]["X-Sightline-Missing-Shards"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "type": "series",
                     *           "points": [
                     *             {
                     *               "ts_bucket": 1767225600000,
                     *               "series_0.data": 42
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BatchedResult"][];
                        partial?: components["schemas"]["PartialResult"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    explainSeries: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "series": [
                 *         {
                 *           "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                 *           "aggFn": "count",
                 *           "where": "SeverityText:error",
                 *           "groupBy": [
                 *             "ServiceName"
                 *           ]
                 *         }
                 *       ],
                 *       "startTime": 1767225600000,
                 *       "endTime": 1767229200000,
                 *       "granularity": "1m"
                 *     }
                 */
                "application/json": components["schemas"]["ChartRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "queries": [
                     *           {
                     *             "sql": "SELECT `Body` AS `__column_0` FROM `default`.`otel_logs` WHERE `TimestampTime` >= '2026-01-01 00:00:00' LIMIT 101",
                     *             "reads": [
                     *               {
                     *                 "table": "otel_logs",
                     *                 "parts": 1,
                     *                 "rows": 8192,
                     *                 "marks": 1
                     *               }
                     *             ],
                     *             "indexes": [
                     *               {
                     *                 "table": "otel_logs",
                     *                 "type": "PrimaryKey",
                     *                 "keys": [
                     *                   "TimestampTime"
                     *                 ],
                     *                 "parts": 4,
                     *                 "selectedParts": 1,
                     *                 "granules": 120,
                     *                 "selectedGranules": 1
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ExplainResult"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    search: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                 *       "where": "timeout",
                 *       "filters": [
                 *         {
                 *           "type": "field",
                 *           "field": "ServiceName",
                 *           "op": "is",
                 *           "values": [
                 *             "checkout"
                 *           ]
                 *         }
                 *       ],
                 *       "startTime": 1767225600000,
                 *       "endTime": 1767229200000,
                 *       "limit": 50
                 *     }
                 */
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Sightline-Rows-Read": components["headers"]["X-Sightline-Rows-Read"];
                    "X-Sightline-Elapsed": components["headers"]["X-Sightline-Elapsed"];
                    "X-Sightline-Missing-Shards": components["headers"]["X-Sightline-Missing-Shards"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "columns": [
                     *           {
                     *             "name": "Timestamp",
                     *             "type": "DateTime64(9)"
                     *           },
                     *           {
                     *             "name": "Body",
                     *             "type": "String"
                     *           }
                     *         ],
                     *         "rows": [
                     *           {
                     *             "_id": "1767225612345678900-8993a009869b81274a7202843b2e9445",
                     *             "Timestamp": "2026-01-01 00:00:12.345678900",
                     *             "Body": "timeout while talking to the payment provider"
                     *           }
                     *         ],
                     *         "cursor": "MTc2NzIyNTYxMjM0NTY3ODkwMC44OTkzYTAwOTg2OWI4MTI3NGE3MjAyODQzYjJlOTQ0NQ"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SearchResult"];
                        partial?: components["schemas"]["PartialResult"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    searchRow: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                 *       "id": "1767225612345678900-8993a009869b81274a7202843b2e9445"
                 *     }
                 */
                "application/json": components["schemas"]["SearchRowRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Sightline-Rows-Read": components["headers"]["X-Sightline-Rows-Read"];
                    "X-Sightline-Elapsed": components["headers"]["X-Sightline-Elapsed"];
                    "X-Sightline-Missing-Shards": components["headers"]["X-Sightline-Missing-Shards"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "columns": [
                     *           {
                     *             "name": "Timestamp",
                     *             "type": "DateTime64(9)"
                     *           },
                     *           {
                     *             "name": "Body",
                     *             "type": "String"
                     *           }
                     *         ],
                     *         "row": {
                     *           "_id": "1767225612345678900-8993a009869b81274a7202843b2e9445",
                     *           "Timestamp": "2026-01-01 00:00:12.345678900",
                     *           "Body": "timeout while talking to the payment provider"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SearchRowResult"];
                        partial?: components["schemas"]["PartialResult"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    queryFacets: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                 *       "where": "timeout",
                 *       "filters": [
                 *         {
                 *           "type": "field",
                 *           "field": "SeverityText",
                 *           "op": "is",
                 *           "values": [
                 *             "error"
                 *           ]
                 *         }
                 *       ],
                 *       "startTime": 1767225600000,
                 *       "endTime": 1767229200000,
                 *       "fields": [
                 *         "ServiceName",
                 *         "LogAttributes.http.route"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["FacetRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Sightline-Rows-Read": components["headers"]["X-Sightline-Rows-Read"];
                    "X-Sightline-Elapsed": components["headers"]["X-Sightline-Elapsed"];
                    "X-Sightline-Missing-Shards": components["headers"]["X-Sightline-Missing-Shards"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "rows": 1204,
                     *         "countedRows": 1204,
                     *         "sampled": false,
                     *         "facets": [
                     *           {
                     *             "field": "ServiceName",
                     *             "type": "text",
                     *             "rows": 1204,
                     *             "values": [
                     *               {
                     *                 "value": "checkout",
                     *                 "rows": 800
                     *               },
                     *               {
                     *                 "value": "payment",
                     *                 "rows": 404
                     *               }
                     *             ],
                     *             "approximate": false
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["FacetResult"];
                        partial?: components["schemas"]["PartialResult"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    exportRows: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                 *       "where": "timeout",
                 *       "select": [
                 *         "Timestamp",
                 *         "Body"
                 *       ],
                 *       "startTime": 1767225600000,
                 *       "endTime": 1767229200000,
                 *       "format": "csv"
                 *     }
                 */
                "application/json": components["schemas"]["ExportRequest"];
            };
        };
        responses: {
            /** @description Success: the file, in chunks */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Sightline-Row-Limit": components["headers"]["X-Sightline-Row-Limit"];
                    Trailer: components["headers"]["Trailer"];
                    "X-Sightline-Truncated": components["headers"]["X-Sightline-Truncated"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example Timestamp,Body
                     *     2026-01-01 00:00:12.345678900,timeout while talking to the payment provider
                     */
                    "text/csv": string;
                    /** @example {"Timestamp":"2026-01-01 00:00:12.345678900","Body":"timeout while talking to the payment provider"} */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    explainSearch: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                 *       "where": "timeout",
                 *       "filters": [
                 *         {
                 *           "type": "field",
                 *           "field": "ServiceName",
                 *           "op": "is",
                 *           "values": [
                 *             "checkout"
                 *           ]
                 *         }
                 *       ],
                 *       "startTime": 1767225600000,
                 *       "endTime": 1767229200000,
                 *       "limit": 50
                 *     }
                 */
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "queries": [
                     *           {
                     *             "sql": "SELECT `Body` AS `__column_0` FROM `default`.`otel_logs` WHERE `TimestampTime` >= '2026-01-01 00:00:00' LIMIT 101",
                     *             "reads": [
                     *               {
                     *                 "table": "otel_logs",
                     *                 "parts": 1,
                     *                 "rows": 8192,
                     *                 "marks": 1
                     *               }
                     *             ],
                     *             "indexes": [
                     *               {
                     *                 "table": "otel_logs",
                     *                 "type": "PrimaryKey",
                     *                 "keys": [
                     *                   "TimestampTime"
                     *                 ],
                     *                 "parts": 4,
                     *                 "selectedParts": 1,
                     *                 "granules": 120,
                     *                 "selectedGranules": 1
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ExplainResult"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    getTrace: {
        parameters: {
            query?: {
                /** @description Trace source to look in. Default: every trace source of the team, in order of age. */
                sourceId?: components["schemas"]["ObjectId"];
                /** @description A time near the trace, in milliseconds since the Unix epoch. If the source has no index of trace times, only spans within 12 hours of it are read. Default: all spans. */
                at?: number;
            };
            header?: never;
            path: {
                traceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Sightline-Rows-Read": components["headers"]["X-Sightline-Rows-Read"];
                    "X-Sightline-Elapsed": components["headers"]["X-Sightline-Elapsed"];
                    "X-Sightline-Missing-Shards": components["headers"]["X-Sightline-Missing-Shards"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
                     *         "sourceId": "65f0c1d2e3a4b5c6d7e8f902",
                     *         "startTime": 1767225612345,
                     *         "endTime": 1767225612392,
                     *         "startNanos": "1767225612345678900",
                     *         "durationNanos": 46100000,
                     *         "spanCount": 1,
                     *         "truncated": false,
                     *         "spans": [
                     *           {
                     *             "_id": "1767225612345678900-8993a009869b81274a7202843b2e9445",
                     *             "spanId": "00f067aa0ba902b7",
                     *             "parentSpanId": "",
                     *             "serviceName": "checkout",
                     *             "name": "POST /pay",
                     *             "kind": "Server",
                     *             "startNanos": 0,
                     *             "durationNanos": 46100000,
                     *             "statusCode": "Error",
                     *             "statusMessage": "card declined",
                     *             "events": 1
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Trace"];
                        partial?: components["schemas"]["PartialResult"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    queryServiceMap: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sourceId": "65f0c1d2e3a4b5c6d7e8f902",
                 *       "startTime": 1767225600000,
                 *       "endTime": 1767229200000,
                 *       "filters": [
                 *         {
                 *           "type": "field",
                 *           "field": "ResourceAttributes.deployment.environment.name",
                 *           "op": "is",
                 *           "values": [
                 *             "production"
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ServiceMapRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Sightline-Rows-Read": components["headers"]["X-Sightline-Rows-Read"];
                    "X-Sightline-Elapsed": components["headers"]["X-Sightline-Elapsed"];
                    "X-Sightline-Missing-Shards": components["headers"]["X-Sightline-Missing-Shards"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "nodes": [
                     *           {
                     *             "name": "checkout",
                     *             "kind": "service",
                     *             "calls": 120,
                     *             "errors": 3,
                     *             "p50Nanos": 41000000,
                     *             "p95Nanos": 96000000,
                     *             "p99Nanos": 180000000
                     *           },
                     *           {
                     *             "name": "postgresql orders",
                     *             "kind": "database",
                     *             "calls": 240,
                     *             "errors": 0
                     *           }
                     *         ],
                     *         "edges": [
                     *           {
                     *             "caller": "checkout",
                     *             "callee": "postgresql orders",
                     *             "calleeKind": "database",
                     *             "calls": 240,
                     *             "errors": 0,
                     *             "p50Nanos": 2100000,
                     *             "p95Nanos": 6300000,
                     *             "p99Nanos": 9900000
                     *           }
                     *         ],
                     *         "sampleShare": 1,
                     *         "truncated": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ServiceMap"];
                        partial?: components["schemas"]["PartialResult"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    listSources: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f901",
                     *           "team": "65f0c1d2e3a4b5c6d7e8f900",
                     *           "kind": "log",
                     *           "name": "Logs",
                     *           "from": {
                     *             "databaseName": "telemetry",
                     *             "tableName": "otel_logs"
                     *           },
                     *           "timestampValueExpression": "Timestamp",
                     *           "bodyExpression": "Body",
                     *           "serviceNameExpression": "ServiceName",
                     *           "severityTextExpression": "SeverityText",
                     *           "createdAt": "2026-03-14T09:26:53.589Z",
                     *           "updatedAt": "2026-03-14T09:26:53.589Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 1000,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Source"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "log",
                 *       "name": "Audit log",
                 *       "from": {
                 *         "databaseName": "telemetry",
                 *         "tableName": "otel_logs"
                 *       },
                 *       "timestampValueExpression": "Timestamp",
                 *       "bodyExpression": "Body"
                 *     }
                 */
                "application/json": components["schemas"]["SourceInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f901",
                     *         "team": "65f0c1d2e3a4b5c6d7e8f900",
                     *         "kind": "log",
                     *         "name": "Logs",
                     *         "from": {
                     *           "databaseName": "telemetry",
                     *           "tableName": "otel_logs"
                     *         },
                     *         "timestampValueExpression": "Timestamp",
                     *         "bodyExpression": "Body",
                     *         "serviceNameExpression": "ServiceName",
                     *         "severityTextExpression": "SeverityText",
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Source"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listSourceTables: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "databaseName": "telemetry",
                     *           "tableName": "otel_logs",
                     *           "kind": "table",
                     *           "columns": [
                     *             {
                     *               "name": "Timestamp",
                     *               "type": "DateTime64(9)"
                     *             },
                     *             {
                     *               "name": "Body",
                     *               "type": "String"
                     *             }
                     *           ],
                     *           "sourceKinds": [
                     *             "log"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TelemetryTable"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    listSourceTimes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Sightline-Rows-Read": components["headers"]["X-Sightline-Rows-Read"];
                    "X-Sightline-Elapsed": components["headers"]["X-Sightline-Elapsed"];
                    "X-Sightline-Missing-Shards": components["headers"]["X-Sightline-Missing-Shards"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                     *           "lastTime": 1767225612000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SourceTime"][];
                        partial?: components["schemas"]["PartialResult"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    checkSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "log",
                 *       "name": "Audit log",
                 *       "from": {
                 *         "databaseName": "telemetry",
                 *         "tableName": "otel_logs"
                 *       },
                 *       "timestampValueExpression": "Timestamp",
                 *       "bodyExpression": "Body"
                 *     }
                 */
                "application/json": components["schemas"]["SourceInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "columns": [
                     *           {
                     *             "name": "Body",
                     *             "type": "String"
                     *           }
                     *         ],
                     *         "rows": [
                     *           {
                     *             "_id": "1767225612345678900-8993a009869b81274a7202843b2e9445",
                     *             "Body": "started"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SourceCheck"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    getSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f901",
                     *         "team": "65f0c1d2e3a4b5c6d7e8f900",
                     *         "kind": "log",
                     *         "name": "Logs",
                     *         "from": {
                     *           "databaseName": "telemetry",
                     *           "tableName": "otel_logs"
                     *         },
                     *         "timestampValueExpression": "Timestamp",
                     *         "bodyExpression": "Body",
                     *         "serviceNameExpression": "ServiceName",
                     *         "severityTextExpression": "SeverityText",
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Source"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateSource: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Audit log of the shop"
                 *     }
                 */
                "application/json": components["schemas"]["SourceChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f901",
                     *         "team": "65f0c1d2e3a4b5c6d7e8f900",
                     *         "kind": "log",
                     *         "name": "Logs",
                     *         "from": {
                     *           "databaseName": "telemetry",
                     *           "tableName": "otel_logs"
                     *         },
                     *         "timestampValueExpression": "Timestamp",
                     *         "bodyExpression": "Body",
                     *         "serviceNameExpression": "ServiceName",
                     *         "severityTextExpression": "SeverityText",
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Source"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteSource: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listSourceFields: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "ServiceName",
                     *           "type": "LowCardinality(String)",
                     *           "kind": "column",
                     *           "values": [
                     *             "checkout",
                     *             "payment"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SourceField"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    listMetrics: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
                /** @description Part of the name, in any case (at most 256 characters). */
                find?: string;
            };
            header?: never;
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Sightline-Rows-Read": components["headers"]["X-Sightline-Rows-Read"];
                    "X-Sightline-Elapsed": components["headers"]["X-Sightline-Elapsed"];
                    "X-Sightline-Missing-Shards": components["headers"]["X-Sightline-Missing-Shards"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "system.memory.usage",
                     *           "type": "gauge",
                     *           "unit": "By",
                     *           "lastValue": 1073741824,
                     *           "lastTime": 1767225612345
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 1000,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Metric"][];
                        meta: components["schemas"]["PageMeta"];
                        partial?: components["schemas"]["PartialResult"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f902",
                     *           "name": "on-call",
                     *           "service": "generic",
                     *           "url": "https://hooks.example.com/alerts",
                     *           "description": "Pages the on-call engineer",
                     *           "createdAt": "2026-03-14T09:26:53.589Z",
                     *           "updatedAt": "2026-03-14T09:26:53.589Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 1000,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "on-call",
                 *       "service": "generic",
                 *       "url": "https://hooks.example.com/alerts",
                 *       "description": "Pages the on-call engineer"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f902",
                     *         "name": "on-call",
                     *         "service": "generic",
                     *         "url": "https://hooks.example.com/alerts",
                     *         "description": "Pages the on-call engineer",
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f902",
                     *         "name": "on-call",
                     *         "service": "generic",
                     *         "url": "https://hooks.example.com/alerts",
                     *         "description": "Pages the on-call engineer",
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Pages the second line"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f902",
                     *         "name": "on-call",
                     *         "service": "generic",
                     *         "url": "https://hooks.example.com/alerts",
                     *         "description": "Pages the on-call engineer",
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "delivered": true,
                     *         "status": 200,
                     *         "body": "ok",
                     *         "elapsedMs": 41.7
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookTestResult"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    testWebhookDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "service": "generic",
                 *       "url": "https://hooks.example.com/alerts"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookDraft"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "delivered": true,
                     *         "status": 200,
                     *         "body": "ok",
                     *         "elapsedMs": 41.7
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookTestResult"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Maximum number of deliveries to return (1–200, default 50). */
                limit?: number;
                /** @description `cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deliveries": [
                     *           {
                     *             "eventId": "evt_5f0c1d2e3a4b5c6d7e8f90a1b2c3d4e5",
                     *             "alertId": "65f0c1d2e3a4b5c6d7e8f903",
                     *             "webhookId": "65f0c1d2e3a4b5c6d7e8f902",
                     *             "type": "alert.firing",
                     *             "reason": "fired",
                     *             "title": "Checkout errors is firing",
                     *             "incidentId": "inc_91ab1d2e3a4b5c6d7e8f90a1b2c3d4e5",
                     *             "group": [],
                     *             "windowEnd": "2026-03-14T09:30:00.000Z",
                     *             "createdAt": "2026-03-14T09:30:05.000Z",
                     *             "status": "delivered",
                     *             "attemptCount": 1,
                     *             "attempts": [
                     *               {
                     *                 "at": "2026-03-14T09:30:05.000Z",
                     *                 "status": 200,
                     *                 "elapsedMs": 41,
                     *                 "body": "{\"ok\":true}"
                     *               }
                     *             ],
                     *             "settledAt": "2026-03-14T09:30:05.100Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeliveryPage"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listSavedSearches: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f906",
                     *           "name": "Failed payments",
                     *           "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                     *           "select": "",
                     *           "where": "ServiceName:payment SeverityText:error",
                     *           "whereLanguage": "lucene",
                     *           "orderBy": "Timestamp DESC",
                     *           "tags": [
                     *             "shop"
                     *           ],
                     *           "filters": [],
                     *           "createdAt": "2026-03-14T09:26:53.589Z",
                     *           "updatedAt": "2026-03-14T09:26:53.589Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 1000,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SavedSearch"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createSavedSearch: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Failed payments",
                 *       "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                 *       "where": "ServiceName:payment SeverityText:error",
                 *       "orderBy": "Timestamp DESC",
                 *       "tags": [
                 *         "shop"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SavedSearchInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f906",
                     *         "name": "Failed payments",
                     *         "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                     *         "select": "",
                     *         "where": "ServiceName:payment SeverityText:error",
                     *         "whereLanguage": "lucene",
                     *         "orderBy": "Timestamp DESC",
                     *         "tags": [
                     *           "shop"
                     *         ],
                     *         "filters": [],
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SavedSearch"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getSavedSearch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f906",
                     *         "name": "Failed payments",
                     *         "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                     *         "select": "",
                     *         "where": "ServiceName:payment SeverityText:error",
                     *         "whereLanguage": "lucene",
                     *         "orderBy": "Timestamp DESC",
                     *         "tags": [
                     *           "shop"
                     *         ],
                     *         "filters": [],
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SavedSearch"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateSavedSearch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "where": "ServiceName:payment SeverityText:fatal"
                 *     }
                 */
                "application/json": components["schemas"]["SavedSearchChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f906",
                     *         "name": "Failed payments",
                     *         "sourceId": "65f0c1d2e3a4b5c6d7e8f901",
                     *         "select": "",
                     *         "where": "ServiceName:payment SeverityText:error",
                     *         "whereLanguage": "lucene",
                     *         "orderBy": "Timestamp DESC",
                     *         "tags": [
                     *           "shop"
                     *         ],
                     *         "filters": [],
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SavedSearch"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteSavedSearch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f90a",
                     *         "user": {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f902",
                     *           "email": "ada@example.com",
                     *           "name": "Ada"
                     *         },
                     *         "role": "member",
                     *         "scopes": [
                     *           "stack:read",
                     *           "team:read"
                     *         ],
                     *         "team": {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f900",
                     *           "name": "Example shop"
                     *         },
                     *         "organizationId": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
                     *         "serviceId": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
                     *         "hasPassword": true,
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "expiresAt": "2026-04-13T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Session"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "EXAMPLE-NOT-A-PASSWORD"
                 *     }
                 */
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f90a",
                     *         "user": {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f902",
                     *           "email": "ada@example.com",
                     *           "name": "Ada"
                     *         },
                     *         "role": "member",
                     *         "scopes": [
                     *           "stack:read",
                     *           "team:read"
                     *         ],
                     *         "team": {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f900",
                     *           "name": "Example shop"
                     *         },
                     *         "organizationId": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
                     *         "serviceId": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
                     *         "hasPassword": true,
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "expiresAt": "2026-04-13T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Session"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getSignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "singleSignOn": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SignInOptions"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "currentPassword": "EXAMPLE-NOT-A-PASSWORD",
                 *       "newPassword": "EXAMPLE-NOT-A-NEW-PASSWORD"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    acceptMemberLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "EXAMPLE-NOT-A-TOKEN",
                 *       "password": "EXAMPLE-NOT-A-PASSWORD"
                 *     }
                 */
                "application/json": components["schemas"]["LinkAcceptance"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f90a",
                     *         "user": {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f902",
                     *           "email": "ada@example.com",
                     *           "name": "Ada"
                     *         },
                     *         "role": "member",
                     *         "scopes": [
                     *           "stack:read",
                     *           "team:read"
                     *         ],
                     *         "team": {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f900",
                     *           "name": "Example shop"
                     *         },
                     *         "organizationId": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
                     *         "serviceId": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
                     *         "hasPassword": true,
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "expiresAt": "2026-04-13T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Session"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f90a",
                     *           "current": true,
                     *           "createdAt": "2026-03-14T09:26:53.589Z",
                     *           "lastUsedAt": "2026-03-15T08:11:00.000Z",
                     *           "expiresAt": "2026-04-13T09:26:53.589Z",
                     *           "address": "203.0.113.7",
                     *           "browser": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OwnSession"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f900",
                     *         "name": "Example shop"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Team"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example shop"
                 *     }
                 */
                "application/json": components["schemas"]["TeamChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f900",
                     *         "name": "Example shop"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Team"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f902",
                     *           "email": "ada@example.com",
                     *           "name": "Ada",
                     *           "role": "member",
                     *           "hasPassword": false,
                     *           "createdAt": "2026-03-14T09:26:53.589Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Member"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "name": "Ada",
                 *       "role": "member"
                 *     }
                 */
                "application/json": components["schemas"]["MemberInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "member": {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f902",
                     *           "email": "ada@example.com",
                     *           "name": "Ada",
                     *           "role": "member",
                     *           "hasPassword": false,
                     *           "createdAt": "2026-03-14T09:26:53.589Z"
                     *         },
                     *         "link": {
                     *           "path": "/join#EXAMPLE-NOT-A-TOKEN",
                     *           "expiresAt": "2026-03-17T09:26:53.589Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["NewMember"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": components["schemas"]["MemberChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f902",
                     *         "email": "ada@example.com",
                     *         "name": "Ada",
                     *         "role": "member",
                     *         "hasPassword": false,
                     *         "createdAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Member"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createMemberLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "path": "/join#EXAMPLE-NOT-A-TOKEN",
                     *         "expiresAt": "2026-03-17T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MemberLink"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listAccessKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "65f0c1d2e3a4b5c6d7e8f907",
                     *           "name": "deploy script",
                     *           "keySuffix": "x7Qd",
                     *           "createdAt": "2026-03-14T09:26:53.589Z",
                     *           "usedAt": "2026-03-14T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AccessKey"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createAccessKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "deploy script"
                 *     }
                 */
                "application/json": components["schemas"]["AccessKeyInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "65f0c1d2e3a4b5c6d7e8f907",
                     *         "name": "deploy script",
                     *         "keySuffix": "x7Qd",
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "key": "slp_EXAMPLE-NOT-A-KEY-x7Qd"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["NewAccessKey"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteAccessKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                id: components["schemas"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getIngestionKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "key": "sli_EXAMPLE-NOT-A-KEY",
                     *         "createdAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IngestionKey"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    rotateIngestionKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "key": "sli_EXAMPLE-NOT-A-KEY",
                     *         "createdAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IngestionKey"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getIngestionEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "httpPort": 4318,
                     *         "grpcPort": 4317
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IngestionEndpoints"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "version": "1.0.0",
                     *         "time": "2026-03-14T09:26:53.589Z",
                     *         "alerts": {
                     *           "total": 12,
                     *           "lateCount": 0,
                     *           "late": [],
                     *           "brokenCount": 0,
                     *           "broken": []
                     *         },
                     *         "outbox": {
                     *           "waiting": 2,
                     *           "oldestAt": "2026-03-14T09:21:00.000Z",
                     *           "webhooks": [
                     *             {
                     *               "id": "65f0c1d2e3a4b5c6d7e8f905",
                     *               "name": "ops",
                     *               "waiting": 2,
                     *               "oldestAt": "2026-03-14T09:21:00.000Z"
                     *             }
                     *           ]
                     *         },
                     *         "pipes": {
                     *           "total": 3,
                     *           "failingCount": 1,
                     *           "failing": [
                     *             {
                     *               "id": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
                     *               "name": "orders",
                     *               "state": "Failed",
                     *               "message": "the broker refuses the password. Correct it, then start the pipe.",
                     *               "since": "2026-03-14T08:00:00.000Z"
                     *             }
                     *           ]
                     *         },
                     *         "ingest": {
                     *           "windowSeconds": 300,
                     *           "storedRecords": 364500,
                     *           "recordsPerSecond": 1215,
                     *           "rejectedRecords": 0,
                     *           "refusedRequests": 0
                     *         },
                     *         "server": {
                     *           "nodes": [
                     *             {
                     *               "id": "embedded",
                     *               "host": "sightline-0",
                     *               "processId": 7,
                     *               "version": "1.0.0",
                     *               "roles": [
                     *                 "api",
                     *                 "ui",
                     *                 "ingest",
                     *                 "alerts",
                     *                 "pipes"
                     *               ],
                     *               "state": "running",
                     *               "startedAt": "2026-03-13T07:00:00.000Z",
                     *               "lastSeenAt": "2026-03-14T09:26:50.000Z",
                     *               "memoryBytes": 310378496,
                     *               "disk": {
                     *                 "freeBytes": 61203283968,
                     *                 "totalBytes": 107374182400
                     *               },
                     *               "alertShards": [
                     *                 0,
                     *                 1,
                     *                 2,
                     *                 3,
                     *                 4,
                     *                 5,
                     *                 6,
                     *                 7,
                     *                 8,
                     *                 9,
                     *                 10,
                     *                 11,
                     *                 12,
                     *                 13,
                     *                 14,
                     *                 15
                     *               ],
                     *               "pipeReaders": 2,
                     *               "pipes": [
                     *                 "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f"
                     *               ]
                     *             }
                     *           ],
                     *           "freeAlertShards": [],
                     *           "engines": [
                     *             {
                     *               "disks": [
                     *                 {
                     *                   "name": "default",
                     *                   "freeBytes": 61203283968,
                     *                   "totalBytes": 107374182400
                     *                 }
                     *               ],
                     *               "memory": {
                     *                 "usedBytes": 734003200,
                     *                 "limitBytes": 3435973836
                     *               },
                     *               "parts": {
                     *                 "active": 412,
                     *                 "mostInPartition": 9,
                     *                 "broken": 0,
                     *                 "detached": 0
                     *               },
                     *               "errors": []
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Status"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getDemo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "state": "running",
                     *         "startedAt": "2026-03-14T09:26:53.589Z",
                     *         "objects": [
                     *           {
                     *             "kind": "dashboard",
                     *             "id": "65f0c1d2e3a4b5c6d7e8f900",
                     *             "name": "Shop (demo)"
                     *           }
                     *         ],
                     *         "notifications": {
                     *           "count": 2,
                     *           "lastAt": "2026-03-14T09:32:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Demo"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    startDemo: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "state": "running",
                     *         "startedAt": "2026-03-14T09:26:53.589Z",
                     *         "objects": [
                     *           {
                     *             "kind": "dashboard",
                     *             "id": "65f0c1d2e3a4b5c6d7e8f900",
                     *             "name": "Shop (demo)"
                     *           }
                     *         ],
                     *         "notifications": {
                     *           "count": 2,
                     *           "lastAt": "2026-03-14T09:32:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Demo"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    stopDemo: {
        parameters: {
            query?: {
                /** @description What happens to the objects that a start made (default `keep`). `delete` also deletes all alerts on tiles of the dashboard. It fails if another alert uses the webhook. */
                objects?: "keep" | "delete";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
}
