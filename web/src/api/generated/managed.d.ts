// Generated from docs/openapi/managed.json by `npm run generate`.
export interface paths {
    "/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organizations of the key
         * @description Returns the one organization that the key belongs to.
         */
        get: operations["listOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an organization
         * @description Returns the organization that the key belongs to.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename the organization
         * @description Takes effect immediately. Ids and keys stay the same.
         */
        patch: operations["updateOrganization"];
        trace?: never;
    };
    "/organizations/{organizationId}/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the services of an organization
         * @description Returns the services of the organization, in creation order.
         */
        get: operations["listServices"];
        put?: never;
        /**
         * Create a service
         * @description Creates a service with a telemetry database of its own, sources over the tables of that database, and an ingestion key. An organization has at most 100 services.
         */
        post: operations["createService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/services/{serviceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a service
         * @description Returns one service of the organization.
         */
        get: operations["getService"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename a service
         * @description The name of the service is also the name of its team. Takes effect immediately. The telemetry database keeps its name.
         */
        patch: operations["updateService"];
        trace?: never;
    };
    "/organizations/{organizationId}/services/{serviceId}/status": {
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
    "/organizations/{organizationId}/activities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit trail
         * @description Returns every change on both surfaces and every rejected request, newest first. Entries cannot be changed.
         */
        get: operations["listActivities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Returns the keys of the organization without their secrets, in creation order.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Only this response contains the key id and secret. An organization can have at most 100 keys.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Returns the key without its secret.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description Takes effect immediately. A key cannot delete itself.
         */
        delete: operations["deleteKey"];
        options?: never;
        head?: never;
        /**
         * Update an API key
         * @description Omitted fields keep their value; lists are replaced as a whole. Takes effect immediately.
         */
        patch: operations["updateKey"];
        trace?: never;
    };
    "/organizations/{organizationId}/services/{serviceId}/stack/dashboards": {
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
    "/organizations/{organizationId}/services/{serviceId}/stack/dashboards/validate": {
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
    "/organizations/{organizationId}/services/{serviceId}/stack/dashboards/{id}": {
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
    "/organizations/{organizationId}/services/{serviceId}/stack/alerts": {
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
    "/organizations/{organizationId}/services/{serviceId}/stack/alerts/{id}": {
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
    "/organizations/{organizationId}/services/{serviceId}/stack/alerts/preview": {
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
    "/organizations/{organizationId}/services/{serviceId}/stack/alerts/{id}/history": {
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
    "/organizations/{organizationId}/services/{serviceId}/stack/alerts/{id}/deliveries": {
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
    "/organizations/{organizationId}/services/{serviceId}/stack/alerts/{id}/explain": {
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
    "/organizations/{organizationId}/services/{serviceId}/stack/alerts/{id}/silence": {
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
    "/organizations/{organizationId}/services/{serviceId}/stack/alerts/{id}/acknowledge": {
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
    "/organizations/{organizationId}/services/{serviceId}/stack/maintenance-windows": {
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
    "/organizations/{organizationId}/services/{serviceId}/stack/maintenance-windows/{id}": {
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
    "/organizations/{organizationId}/services/{serviceId}/stack/sources": {
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
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/services/{serviceId}/stack/saved-searches": {
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
    "/organizations/{organizationId}/services/{serviceId}/stack/saved-searches/{id}": {
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
    "/organizations/{organizationId}/services/{serviceId}/pipesCdcScaling": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the scaling of all pipes that replicate a database
         * @description Returns the CPU share and the memory of one replica. If the pipes differ, returns the largest of each. 404 if the service has no such pipe.
         */
        get: operations["getCdcScaling"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the scaling of all pipes that replicate a database
         * @description Changes all such pipes of the service or none, and restarts their readers. The pipes keep their position. 404 if the service has no such pipe.
         */
        patch: operations["changeCdcScaling"];
        trace?: never;
    };
    "/organizations/{organizationId}/services/{serviceId}/pipes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pipes
         * @description Returns the pipes of the service with their state, in creation order. `metrics=true` adds rows, bytes, errors and lag of each.
         */
        get: operations["listPipes"];
        put?: never;
        /**
         * Create a pipe
         * @description Requires exactly one source. Credentials are stored encrypted and never returned. The pipe starts automatically; its state shows the result.
         */
        post: operations["createPipe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/services/{serviceId}/pipes/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the source of a pipe without creating it
         * @description Connects to the source for at most 8 seconds and tries each step of a pipe. A source that does not work is a response with `ok: false` that names the step, the field and the reason. Nothing is stored or created, here or at the source. A service runs at most 3 of these requests at a time.
         */
        post: operations["checkPipe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/services/{serviceId}/pipes/discover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List what a source offers, or show records of one item
         * @description Lists the topics, tables, objects or streams of a source. With `item`, returns up to 10 records of that item instead and proposes columns for them. The limits are those of a check. Nothing is stored or created, here or at the source.
         */
        post: operations["discoverPipe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a pipe
         * @description Returns the pipe with its state. Credentials are never returned.
         */
        get: operations["getPipe"];
        put?: never;
        post?: never;
        /**
         * Delete a pipe
         * @description Stops the pipe and removes everything it created at the source. The destination table remains. If the source does not respond, the response has a `message`. The server then keeps trying, and the pipe stays in the state `Deleting` until the source is clean.
         */
        delete: operations["deletePipe"];
        options?: never;
        head?: never;
        /**
         * Update a pipe
         * @description Omitted fields keep their value. The server applies all changes or none. A running pipe continues from its position. Fields that only a creation sets may be sent with their stored value.
         */
        patch: operations["updatePipe"];
        trace?: never;
    };
    "/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Start, stop or resync a pipe
         * @description `start` starts a stopped or failed pipe, `stop` stops it and keeps its position, `resync` loads a PostgreSQL source again.
         */
        patch: operations["changePipeState"];
        trace?: never;
    };
    "/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}/scaling": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the scaling of a pipe
         * @description Changes the fields in the request and restarts the readers of the pipe. The pipe keeps its position.
         */
        patch: operations["changePipeScaling"];
        trace?: never;
    };
    "/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the advanced settings of a pipe
         * @description Returns every setting, with defaults for those that were not set.
         */
        get: operations["getPipeSettings"];
        /**
         * Update the advanced settings of a pipe
         * @description Omitted settings keep their value; `null` restores the default.
         */
        put: operations["changePipeSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metrics of a pipe
         * @description Returns rows, bytes, errors and lag of the pipe, and the stored position of every partition. With `from`, also returns these figures of each minute, which are kept for a day.
         */
        get: operations["getPipeMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List records that could not be stored, newest first
         * @description Returns the records that could not be stored, with the reason for each.
         */
        get: operations["listPipeErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}/errors/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the last replay of a pipe
         * @description Returns how far the replay is that was requested last.
         */
        get: operations["getPipeReplay"];
        put?: never;
        /**
         * Store records that could not be stored once more
         * @description Call this after you changed the pipe or its table. Each record is stored exactly once and leaves the list of errors, or comes back with the new reason. The replay runs in the background, also while the pipe is stopped. 409 if a replay is running. 400 if the pipe does not read records: a pipe from object storage reads a refused object again once the object or the pipe changes, and `resync` loads a PostgreSQL source again.
         */
        post: operations["replayPipeErrors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
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
        /**
         * @example {
         *       "id": "0195943a-7c51-7d3e-9a42-6f1b2c3d4e5f",
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "actor": {
         *         "kind": "key",
         *         "id": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
         *         "name": "Deployments"
         *       },
         *       "operation": "createAlert",
         *       "object": {
         *         "kind": "alert",
         *         "id": "65f0c1d2e3a4b5c6d7e8f903"
         *       },
         *       "serviceId": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
         *       "address": "203.0.113.7",
         *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
         *       "outcome": "success",
         *       "count": 1
         *     }
         */
        Activity: {
            /** @description Id of the entry, ordered by time. */
            id: string;
            createdAt: components["schemas"]["Timestamp"];
            /** @description Key, user (its name is the e-mail address) or system that performed the operation. */
            actor: components["schemas"]["ActivityActor"];
            /**
             * @description Operation id from this reference; `authenticate` for a rejected credential.
             * @example createAlert
             */
            operation: string;
            /** @description Object of the operation. */
            object: components["schemas"]["ActivityObject"];
            /** @description Service of the object; absent for objects of the organization itself. */
            serviceId?: components["schemas"]["Uuid"];
            /** @description Network address of the caller; absent for the system. */
            address?: string;
            /** @description Id of the request; of the first one if `count` is greater than 1. */
            requestId?: string;
            outcome: components["schemas"]["ActivityOutcome"];
            /** @description Error code; absent if the operation succeeded. */
            code?: string;
            /**
             * Format: int64
             * @description Number of requests that this line stands for. Identical rejections within a short time share one line; changes always count 1.
             */
            count: number;
        };
        ActivityActor: {
            kind: components["schemas"]["ActorKind"];
            /** @description Id of the key or user. */
            id?: string;
            /** @description Name at the time of the operation. */
            name?: string;
        };
        ActivityObject: {
            /** @description Kind of the object. */
            kind: string;
            /** @description Id of the object; absent if it has none. */
            id?: string;
        };
        /**
         * @description Result of the operation. `denied`: the caller was not authenticated or not allowed. `failure`: the operation failed for another reason.
         * @enum {string}
         */
        ActivityOutcome: "success" | "denied" | "failure";
        /**
         * @description Kind of actor. `anonymous` is a caller that could not be identified, for example because of a wrong credential.
         * @enum {string}
         */
        ActorKind: "user" | "key" | "system" | "anonymous";
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
        ChosenPipeSettings: {
            /**
             * Format: double
             * @description Streaming sources: maximum time a record waits before the pipe inserts it, in milliseconds (500–60000). Absent: the default, 5000.
             */
            streaming_max_insert_wait_ms?: number;
            /**
             * Format: double
             * @description Number of object batches loaded in parallel (1–35). Absent: the default, 1.
             */
            object_storage_concurrency?: number;
            /**
             * Format: double
             * @description Continuous object storage pipes: time between two listings, in milliseconds (100–3600000). Absent: the default, 30000.
             */
            object_storage_polling_interval_ms?: number;
            /**
             * Format: double
             * @description Maximum total size of the objects in one insert, in bytes (10 MiB–50 GiB). Absent: the default, 10737418240.
             */
            object_storage_max_insert_bytes?: number;
            /**
             * Format: double
             * @description Maximum number of objects in one insert (1–10000). Absent: the default, 100.
             */
            object_storage_max_file_count?: number;
            /**
             * Format: double
             * @description Maximum number of engine threads for one query (0–64); 0 chooses by the number of processors. Absent: the default, 0.
             */
            engine_max_threads?: number;
            /**
             * Format: double
             * @description Number of engine threads that write one insert (0–16). Absent: the default, 1.
             */
            engine_max_insert_threads?: number;
            /**
             * Format: double
             * @description Size up to which the engine collects blocks before it writes them, in bytes (0–10 GiB). Absent: the default, 1073741824.
             */
            engine_min_insert_block_size_bytes?: number;
            /**
             * Format: double
             * @description Number of threads that download one object (0–32). Absent: the default, 4.
             */
            engine_max_download_threads?: number;
            /**
             * Format: double
             * @description Distributed INSERT SELECT: 0 disables it, 1 runs SELECT on each shard, 2 runs SELECT and INSERT on each shard. Absent: the default, 2.
             */
            engine_parallel_distributed_insert_select?: number;
            /** @description Read objects with all nodes of the cluster, if the engine is a cluster. Absent: the default, true. */
            object_storage_use_cluster_function?: boolean;
            /** @description Process materialized views of the table in parallel. Absent: the default, false. */
            engine_parallel_view_processing?: boolean;
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
         *       "key": {
         *         "id": "5d2f8a1c-6b7e-4f90-a1c2-d3e4f5061728",
         *         "name": "Deployments",
         *         "state": "enabled",
         *         "roles": [
         *           "developer"
         *         ],
         *         "keySuffix": "Zk3f",
         *         "createdAt": "2026-03-14T09:26:53.589Z",
         *         "expireAt": "2027-01-01T00:00:00.000Z",
         *         "ipAccessList": [
         *           {
         *             "source": "203.0.113.0/24",
         *             "description": "Office"
         *           }
         *         ]
         *       },
         *       "keyId": "EXAMPLENOTAKEYIDZk3f",
         *       "keySecret": "EXAMPLE-NOT-A-SECRET"
         *     }
         */
        CreatedKey: {
            key: components["schemas"]["Key"];
            /** @description User name for HTTP Basic authentication. Returned only once; absent if `hashData` was sent. */
            keyId?: string;
            /** @description Password for HTTP Basic authentication. Returned only once; absent if `hashData` was sent. */
            keySecret?: string;
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
        Error: {
            /** @description HTTP status. */
            status: number;
            /**
             * Format: uuid
             * @description Id of the request, the same as in the `X-Request-Id` header.
             */
            requestId: string;
            /**
             * @description A code word, a colon and a message. Code words: BAD_REQUEST, UNAUTHORIZED, FORBIDDEN, NOT_FOUND, CONFLICT, RATE_LIMITED, INTERNAL
             * @example NOT_FOUND: key not found
             */
            error: string;
            /** @description Invalid fields of the request (at most 100). Present only if the status is 400. */
            errors?: components["schemas"]["FieldError"][];
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
        /**
         * @example {
         *       "source": "203.0.113.0/24",
         *       "description": "Office"
         *     }
         */
        IpAccessEntry: {
            /** @description IPv4 or IPv6 address, or CIDR block. */
            source: string;
            /** @description Note about the address (at most 255 characters). */
            description?: string;
        };
        /**
         * @example {
         *       "source": "203.0.113.0/24",
         *       "description": "Office"
         *     }
         */
        IpAccessEntryResult: {
            /** @description IPv4 or IPv6 address, or CIDR block. */
            source: string;
            /** @description Note about the address (at most 255 characters). */
            description?: string;
        };
        /**
         * @example {
         *       "id": "5d2f8a1c-6b7e-4f90-a1c2-d3e4f5061728",
         *       "name": "Deployments",
         *       "state": "enabled",
         *       "roles": [
         *         "developer"
         *       ],
         *       "keySuffix": "Zk3f",
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "expireAt": "2027-01-01T00:00:00.000Z",
         *       "ipAccessList": [
         *         {
         *           "source": "203.0.113.0/24",
         *           "description": "Office"
         *         }
         *       ]
         *     }
         */
        Key: {
            id: components["schemas"]["Uuid"];
            /** @description Name of the key. */
            name: string;
            state: components["schemas"]["KeyState"];
            /** @description Roles of the key. */
            roles: components["schemas"]["KeyRole"][];
            /** @description Last 4 characters of the key id. */
            keySuffix: string;
            createdAt: components["schemas"]["Timestamp"];
            /** @description Expiry time; `null` if the key never expires. */
            expireAt: components["schemas"]["Timestamp"] | null;
            /** @description Time of last use, rounded to the minute. Absent if the key was never used. */
            usedAt?: components["schemas"]["Timestamp"];
            /** @description Addresses that can use the key. If empty, every address can. */
            ipAccessList: components["schemas"]["IpAccessEntryResult"][];
        };
        KeyCreateBody: {
            /**
             * @description Name of the key (at most 255 characters, default empty).
             * @default
             */
            name: string;
            /**
             * @description Expiry time, ISO 8601 with an offset. If null, empty or absent, the key never expires.
             * @example 2027-01-01T00:00:00Z
             */
            expireAt?: string | null;
            /** @default enabled */
            state: components["schemas"]["KeyState"];
            hashData?: components["schemas"]["KeyHashData"];
            /**
             * @description Roles of the key, at least one (default `developer`).
             * @default [
             *       "developer"
             *     ]
             */
            roles: components["schemas"]["KeyRole"][];
            /**
             * @description Addresses that can use the key (at most 255 entries). If empty, every address can.
             * @default []
             */
            ipAccessList: components["schemas"]["IpAccessEntry"][];
        };
        /** @description Hashes of a key id and secret that only the caller knows. Requires all three fields. */
        KeyHashData: {
            /** @description Base64 of the SHA-256 digest of the key id */
            keyIdHash: string;
            /** @description Last 4 characters of the key id. */
            keyIdSuffix: string;
            /** @description Base64 of the SHA-256 digest of the key secret */
            keySecretHash: string;
        };
        /**
         * @description `admin` can perform every operation of its organization. `developer` can read everything and can change dashboards, alerts and saved searches. `query_endpoints` has no permissions in this API.
         * @enum {string}
         */
        KeyRole: "admin" | "developer" | "query_endpoints";
        /** @enum {string} */
        KeyState: "enabled" | "disabled";
        KeyUpdateBody: {
            /** @description Name of the key (at most 255 characters). */
            name?: string;
            /** @description Roles of the key, at least one. Replaces the stored list. */
            roles?: components["schemas"]["KeyRole"][];
            /**
             * @description Expiry time, ISO 8601 with an offset. If null, empty or absent, the key never expires.
             * @example 2027-01-01T00:00:00Z
             */
            expireAt?: string | null;
            state?: components["schemas"]["KeyState"];
            /** @description Addresses that can use the key (at most 255 entries). If empty, every address can. */
            ipAccessList?: components["schemas"]["IpAccessEntry"][];
        };
        /**
         * @example {
         *       "id": "9b1c7e42-0f3d-4a86-8d5e-2c4f6a8b0d1e",
         *       "serviceId": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
         *       "name": "Orders",
         *       "state": "Running",
         *       "scaling": {
         *         "replicas": 1,
         *         "concurrency": 0,
         *         "replicaCpuMillicores": 125,
         *         "replicaMemoryGb": 0.5
         *       },
         *       "source": {
         *         "kafka": {
         *           "brokers": "broker-1.example.com:9092",
         *           "topics": "orders",
         *           "format": "JSONEachRow",
         *           "authentication": "SCRAM-SHA-256"
         *         }
         *       },
         *       "destination": {
         *         "database": "default",
         *         "table": "orders",
         *         "managedTable": true,
         *         "columns": [
         *           {
         *             "name": "id",
         *             "type": "UInt64"
         *           },
         *           {
         *             "name": "amount",
         *             "type": "Decimal(18, 2)"
         *           }
         *         ]
         *       },
         *       "fieldMappings": [],
         *       "settings": {
         *         "streaming_max_insert_wait_ms": 1000
         *       },
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "updatedAt": "2026-03-14T09:26:53.589Z"
         *     }
         */
        ListedPipe: {
            id: components["schemas"]["Uuid"];
            serviceId: components["schemas"]["Uuid"];
            /** @description Name of the pipe. */
            name: string;
            state: components["schemas"]["PipeState"];
            /** @description Reason for the state, and the action to take. Absent if there is nothing to report. */
            stateMessage?: string;
            scaling: components["schemas"]["PipeScaling"];
            source: components["schemas"]["PipeSource"];
            destination: components["schemas"]["PipeDestination"];
            /** @description Mappings of record fields to columns. If empty, each column takes the field of its name. */
            fieldMappings: components["schemas"]["PipeFieldMappingResult"][];
            settings: components["schemas"]["ChosenPipeSettings"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            metrics?: components["schemas"]["ListedPipeMetrics"];
        };
        ListedPipeMetrics: {
            /**
             * Format: double
             * @description Number of rows inserted since the pipe was created.
             */
            rows: number;
            /**
             * Format: double
             * @description Number of bytes of record data inserted since the pipe was created.
             */
            bytes: number;
            /**
             * Format: double
             * @description Number of records refused since the pipe was created, without those that a replay has stored.
             */
            errors: number;
            /**
             * Format: double
             * @description Number of inserts.
             */
            batches: number;
            /** @description Number of records not stored yet, as of the last measurement of each partition. `null` if the source does not report it. */
            lag: number | null;
            /** @description Bytes of log that the source retains for the pipe, as of the last measurement. Only for sources that measure their lag in bytes. */
            retainedBytes?: number | null;
            /** @description Time at which the source received the oldest record that is not stored yet. If that record was not read yet, the time of the record before it. If records carry no time, the time of the partition's last insert. `null` if no record is waiting. */
            oldestUnprocessedAt: components["schemas"]["Timestamp"] | null;
            /** @description Last error of the pipe; `null` if there was none. */
            lastError: components["schemas"]["ListedPipeMetricsLastError"] | null;
        };
        ListedPipeMetricsLastError: {
            /** @description Text of the error. */
            message: string;
            at: components["schemas"]["Timestamp"];
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
        /** @enum {string} */
        MetricDataType: "gauge" | "sum" | "histogram" | "exponential histogram" | "summary";
        /**
         * @example {
         *       "id": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
         *       "name": "staging",
         *       "state": "running",
         *       "organizationId": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
         *       "team": "65f0c1d2e3a4b5c6d7e8f900",
         *       "database": "sightline_3c6e0b8a",
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "ingestionKey": "sli_EXAMPLE-NOT-A-KEY"
         *     }
         */
        NewService: {
            id: components["schemas"]["Uuid"];
            /** @description Name of the service. */
            name: string;
            /**
             * @description `running` if the telemetry engine responds, otherwise `degraded`.
             * @enum {string}
             */
            state: "running" | "degraded";
            organizationId: components["schemas"]["Uuid"];
            /** @description Team that owns the same objects on the open-source surface. */
            team: components["schemas"]["ObjectId"];
            /** @description Telemetry database that the service's sources read. */
            database: string;
            createdAt: components["schemas"]["Timestamp"];
            /** @description Key that telemetry senders use. The team of the service can show it again (`GET /api/v2/team/ingestion-key`). */
            ingestionKey: string;
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
        /**
         * @example {
         *       "id": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
         *       "name": "Example shop",
         *       "createdAt": "2026-03-14T09:26:53.589Z"
         *     }
         */
        Organization: {
            id: components["schemas"]["Uuid"];
            /** @description Name of the organization. */
            name: string;
            createdAt: components["schemas"]["Timestamp"];
        };
        OrganizationChange: {
            /** @description Name of the organization (1–255 characters). Outer spaces are removed. */
            name?: string;
        };
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
        /** @description Present if shards of the ClickHouse cluster did not respond: the result lacks their rows. */
        PartialResult: {
            /** @description Numbers of these shards, from 1, in ascending order. */
            missingShards: number[];
        };
        /**
         * @example {
         *       "id": "9b1c7e42-0f3d-4a86-8d5e-2c4f6a8b0d1e",
         *       "serviceId": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
         *       "name": "Orders",
         *       "state": "Running",
         *       "scaling": {
         *         "replicas": 1,
         *         "concurrency": 0,
         *         "replicaCpuMillicores": 125,
         *         "replicaMemoryGb": 0.5
         *       },
         *       "source": {
         *         "kafka": {
         *           "brokers": "broker-1.example.com:9092",
         *           "topics": "orders",
         *           "format": "JSONEachRow",
         *           "authentication": "SCRAM-SHA-256"
         *         }
         *       },
         *       "destination": {
         *         "database": "default",
         *         "table": "orders",
         *         "managedTable": true,
         *         "columns": [
         *           {
         *             "name": "id",
         *             "type": "UInt64"
         *           },
         *           {
         *             "name": "amount",
         *             "type": "Decimal(18, 2)"
         *           }
         *         ]
         *       },
         *       "fieldMappings": [],
         *       "settings": {
         *         "streaming_max_insert_wait_ms": 1000
         *       },
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "updatedAt": "2026-03-14T09:26:53.589Z"
         *     }
         */
        Pipe: {
            id: components["schemas"]["Uuid"];
            serviceId: components["schemas"]["Uuid"];
            /** @description Name of the pipe. */
            name: string;
            state: components["schemas"]["PipeState"];
            /** @description Reason for the state, and the action to take. Absent if there is nothing to report. */
            stateMessage?: string;
            scaling: components["schemas"]["PipeScaling"];
            source: components["schemas"]["PipeSource"];
            destination: components["schemas"]["PipeDestination"];
            /** @description Mappings of record fields to columns. If empty, each column takes the field of its name. */
            fieldMappings: components["schemas"]["PipeFieldMappingResult"][];
            settings: components["schemas"]["ChosenPipeSettings"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        /** @description Write-only. */
        PipeAccessKey: {
            /** @description Access key id. Write-only. */
            accessKeyId: string;
            /** @description Secret access key. Write-only. */
            secretKey: string;
        };
        /**
         * @example {
         *       "ok": false,
         *       "steps": [
         *         {
         *           "step": "connect",
         *           "ok": false
         *         }
         *       ],
         *       "issues": [
         *         {
         *           "path": "source.kafka.credentials",
         *           "reason": "login_refused",
         *           "message": "the broker rejected the credentials (SCRAM-SHA-256). Check the user name and password in credentials."
         *         }
         *       ]
         *     }
         */
        PipeCheck: {
            /** @description True if nothing failed. */
            ok: boolean;
            /** @description What failed. Empty if `ok` is true. */
            issues: components["schemas"]["PipeSourceIssue"][];
            /** @description Steps in order, up to the one that failed. */
            steps: components["schemas"]["PipeCheckStepsItem"][];
        };
        PipeCheckBody: {
            /** @description Id of a pipe whose stored credentials replace omitted ones. They are used only for the hosts of that pipe. */
            pipeId?: components["schemas"]["Uuid"];
            source: components["schemas"]["PipeSourceDraft"];
        };
        /**
         * @description `connect`: reach the source, encrypt the connection and log in. `find`: find the topics, tables, stream or objects. `read`: read from them. `registry`: reach the schema registry. `replicate`: replicate changes of a database.
         * @enum {string}
         */
        PipeCheckStep: "connect" | "find" | "read" | "registry" | "replicate";
        PipeCheckStepsItem: {
            step: components["schemas"]["PipeCheckStep"];
            /** @description False for the step that failed. */
            ok: boolean;
        };
        PipeCloudstreamSource: {
            /** @description Name of the stream. */
            streamName: string;
            /** @description Region of the stream, such as us-east-1. */
            region: string;
            /**
             * @description Format of the records (default `JSONEachRow`).
             * @enum {string}
             */
            format?: "JSONEachRow" | "Avro";
            /** @description If true, read with a dedicated throughput per consumer (default false). */
            useEnhancedFanOut?: boolean;
            /**
             * @description Start position of a shard without a stored position. Default: `AT_TIMESTAMP` if `timestamp` is set, otherwise `TRIM_HORIZON`.
             * @enum {string}
             */
            iteratorType?: "TRIM_HORIZON" | "LATEST" | "AT_TIMESTAMP";
            /**
             * Format: int64
             * @description Start time in Unix seconds, for `AT_TIMESTAMP`.
             */
            timestamp?: number;
            /**
             * @description Authentication method. `IAM_ROLE` requires `iamRole`, `IAM_USER` requires `accessKey`.
             * @enum {string}
             */
            authentication?: "IAM_ROLE" | "IAM_USER";
            /** @description ARN of the role to assume. */
            iamRole?: string;
        };
        PipeCloudstreamSourceDraft: {
            /** @description Name of the stream to check. If absent, no stream is checked. */
            streamName?: string;
            /** @description Region of the stream, such as us-east-1. */
            region: string;
            /**
             * @description Format of the records (default `JSONEachRow`).
             * @enum {string}
             */
            format?: "JSONEachRow" | "Avro";
            /** @description If true, read with a dedicated throughput per consumer (default false). */
            useEnhancedFanOut?: boolean;
            /**
             * @description Start position of a shard without a stored position. Default: `AT_TIMESTAMP` if `timestamp` is set, otherwise `TRIM_HORIZON`.
             * @enum {string}
             */
            iteratorType?: "TRIM_HORIZON" | "LATEST" | "AT_TIMESTAMP";
            /**
             * Format: int64
             * @description Start time in Unix seconds, for `AT_TIMESTAMP`.
             */
            timestamp?: number;
            /**
             * @description Authentication method. `IAM_ROLE` requires `iamRole`, `IAM_USER` requires `accessKey`.
             * @enum {string}
             */
            authentication?: "IAM_ROLE" | "IAM_USER";
            /** @description ARN of the role to assume. */
            iamRole?: string;
            accessKey?: components["schemas"]["PipeAccessKey"];
        };
        PipeCloudstreamSourceInput: {
            /** @description Name of the stream. */
            streamName: string;
            /** @description Region of the stream, such as us-east-1. */
            region: string;
            /**
             * @description Format of the records (default `JSONEachRow`).
             * @enum {string}
             */
            format?: "JSONEachRow" | "Avro";
            /** @description If true, read with a dedicated throughput per consumer (default false). */
            useEnhancedFanOut?: boolean;
            /**
             * @description Start position of a shard without a stored position. Default: `AT_TIMESTAMP` if `timestamp` is set, otherwise `TRIM_HORIZON`.
             * @enum {string}
             */
            iteratorType?: "TRIM_HORIZON" | "LATEST" | "AT_TIMESTAMP";
            /**
             * Format: int64
             * @description Start time in Unix seconds, for `AT_TIMESTAMP`.
             */
            timestamp?: number;
            /**
             * @description Authentication method. `IAM_ROLE` requires `iamRole`, `IAM_USER` requires `accessKey`.
             * @enum {string}
             */
            authentication?: "IAM_ROLE" | "IAM_USER";
            /** @description ARN of the role to assume. */
            iamRole?: string;
            accessKey?: components["schemas"]["PipeAccessKey"];
        };
        PipeCloudstreamSourceUpdate: {
            /** @description ARN of the role to assume. */
            iamRole?: string;
            accessKey?: components["schemas"]["PipeAccessKey"];
            /** @description Cannot be changed. An update may repeat the stored value. */
            streamName?: string;
            /** @description Cannot be changed. An update may repeat the stored value. */
            region?: string;
            /**
             * @description Cannot be changed. An update may repeat the stored value.
             * @enum {string}
             */
            format?: "JSONEachRow" | "Avro";
            /** @description Cannot be changed. An update may repeat the stored value. */
            useEnhancedFanOut?: boolean;
            /**
             * @description Cannot be changed. An update may repeat the stored value.
             * @enum {string}
             */
            iteratorType?: "TRIM_HORIZON" | "LATEST" | "AT_TIMESTAMP";
            /**
             * Format: int64
             * @description Cannot be changed. An update may repeat the stored value.
             */
            timestamp?: number;
            /**
             * @description Cannot be changed. An update may repeat the stored value.
             * @enum {string}
             */
            authentication?: "IAM_ROLE" | "IAM_USER";
        };
        PipeColumn: {
            /** @description Name of the column (1–206 characters). */
            name: string;
            /** @description ClickHouse type of the column. */
            type: string;
        };
        PipeColumnResult: {
            /** @description Name of the column (1–206 characters). */
            name: string;
            /** @description ClickHouse type of the column. */
            type: string;
        };
        PipeCreateBody: {
            /** @description Name (1–255 characters). If absent, the server derives one from the source. */
            name?: string;
            source: components["schemas"]["PipeSourceInput"];
            destination?: components["schemas"]["PipeDestinationInput"];
            /** @description Mappings of record fields to columns (at most 1000). If absent, each column takes the field of its name. */
            fieldMappings?: components["schemas"]["PipeFieldMapping"][];
            scaling?: components["schemas"]["PipeScalingInput"];
            settings?: components["schemas"]["PipeSettingsInput"];
        };
        PipeDestination: {
            /** @description Database of the table. */
            database: string;
            /** @description Name of the table (1–206 characters). */
            table?: string;
            /** @description If true (default), the pipe creates the table. If false, the table must already exist with these columns. */
            managedTable?: boolean;
            tableDefinition?: components["schemas"]["PipeTableDefinitionResult"];
            /** @description Columns that the pipe fills (1–1000). */
            columns?: components["schemas"]["PipeColumnResult"][];
        };
        PipeDestinationInput: {
            /** @description Database of the table (default `default`). `default` is the own database of the service. Other databases must be listed for the service by the operator. */
            database?: string;
            /** @description Name of the table (1–206 characters). */
            table?: string;
            /** @description If true (default), the pipe creates the table. If false, the table must already exist with these columns. */
            managedTable?: boolean;
            tableDefinition?: components["schemas"]["PipeTableDefinition"];
            /** @description Columns that the pipe fills (1–1000). */
            columns?: components["schemas"]["PipeColumn"][];
            /** @description Roles that receive SELECT on the table. Requires a ClickHouse server. Stored, but not returned. */
            roles?: string[];
        };
        PipeDiscoverBody: {
            /** @description Id of a pipe whose stored credentials replace omitted ones. They are used only for the hosts of that pipe. */
            pipeId?: components["schemas"]["Uuid"];
            source: components["schemas"]["PipeSourceDraft"];
            /** @description `id` of the item to show records of. */
            item?: string;
        };
        /**
         * @example {
         *       "ok": true,
         *       "issues": [],
         *       "kind": "topics",
         *       "items": [
         *         {
         *           "id": "orders",
         *           "partitions": 3
         *         }
         *       ],
         *       "hasMore": false,
         *       "records": [
         *         {
         *           "position": "orders/0 81920",
         *           "data": "{\"id\":7,\"amount\":\"9.90\"}",
         *           "isCut": false
         *         }
         *       ],
         *       "proposal": {
         *         "source": {
         *           "kafka": {
         *             "topics": "orders"
         *           }
         *         },
         *         "destination": {
         *           "table": "orders",
         *           "columns": [
         *             {
         *               "name": "id",
         *               "type": "Int64"
         *             },
         *             {
         *               "name": "amount",
         *               "type": "Decimal(38, 2)"
         *             }
         *           ]
         *         },
         *         "fieldMappings": []
         *       }
         *     }
         */
        PipeDiscovery: {
            /** @description True if nothing failed. */
            ok: boolean;
            /** @description What failed. Empty if `ok` is true. */
            issues: components["schemas"]["PipeSourceIssue"][];
            /**
             * @description Kind of the items. Absent if the source could not be read.
             * @enum {string}
             */
            kind?: "topics" | "tables" | "objects" | "streams";
            /** @description Items of the source, by name. With `item`, only that one. */
            items: components["schemas"]["PipeSourceItem"][];
            /** @description Whether the source has more items. */
            hasMore: boolean;
            /** @description Records of the item (at most 10). Only with `item`. */
            records?: components["schemas"]["PipeSampleRecord"][];
            proposal?: components["schemas"]["PipeProposal"];
        };
        /**
         * @example {
         *       "at": "2026-03-14T09:26:53.589Z",
         *       "partition": "orders/0",
         *       "position": "81920",
         *       "reason": "amount: not a Decimal(18, 2)",
         *       "raw": "{\"id\":7,\"amount\":\"much\"}",
         *       "replayable": true
         *     }
         */
        PipeError: {
            at: components["schemas"]["Timestamp"];
            /** @description Partition of the record. */
            partition: string;
            /** @description Position of the record in the partition. */
            position: string;
            /** @description Reason why the record could not be stored. */
            reason: string;
            /** @description Original record. Invalid UTF-8 bytes are replaced. */
            raw: string;
            /** @description Whether a replay includes the record. An object is read again by the pipe itself. */
            replayable: boolean;
        };
        PipeFieldMapping: {
            /** @description Field of the record: a dotted path or a virtual field. */
            sourceField: string;
            /** @description Column that receives the value. */
            destinationField: string;
        };
        PipeFieldMappingResult: {
            /** @description Field of the record: a dotted path or a virtual field. */
            sourceField: string;
            /** @description Column that receives the value. */
            destinationField: string;
        };
        PipeKafkaCredentials: {
            /** @description User name, for PLAIN and SCRAM. Write-only. */
            username?: string;
            /** @description Password, for PLAIN and SCRAM. Write-only. */
            password?: string;
            /** @description Access key id, for IAM_USER. Write-only. */
            accessKeyId?: string;
            /** @description Secret access key, for IAM_USER. Write-only. */
            secretKey?: string;
            /** @description PEM client certificate, for MUTUAL_TLS. Write-only. */
            certificate?: string;
            /** @description PEM private key of the client certificate, for MUTUAL_TLS. Write-only. */
            privateKey?: string;
        };
        PipeKafkaSource: {
            /**
             * @description Provider of the Kafka service. For information only.
             * @enum {string}
             */
            type?: "kafka" | "redpanda" | "confluent" | "msk" | "warpstream" | "azureeventhub" | "gcmk" | "dokafka";
            /**
             * @description Format of the records. Default: `AvroConfluent` if `schemaRegistry` is set, otherwise `JSONEachRow`.
             * @enum {string}
             */
            format?: "JSONEachRow" | "Avro" | "AvroConfluent" | "Protobuf";
            /** @description Brokers as comma-separated host:port pairs. */
            brokers: string;
            /** @description Topics to read, comma-separated. */
            topics: string;
            /** @description Consumer group (1–255 characters). If absent, the server derives one from the pipe's id. */
            consumerGroup?: string;
            /**
             * @description Authentication method. Default: `PLAIN` if `credentials` is set.
             * @enum {string}
             */
            authentication?: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512" | "MUTUAL_TLS" | "IAM_ROLE" | "IAM_USER";
            /** @description ARN of the role to assume. Required for IAM_ROLE. */
            iamRole?: string;
            /** @description Start position of partitions without a stored position. */
            offset?: components["schemas"]["PipeKafkaSourceOffset"];
            /** @description PEM certificates of the brokers' certificate authority. */
            caCertificate?: string;
            /** @description Ids of private endpoints of the source (at most 50). Stored and returned; this deployment does not use them. */
            reversePrivateEndpointIds?: string[];
            /** @description Stored and returned. Every pipe stores each record exactly once. */
            exactlyOnce?: boolean;
            /** @description Schema registry of the records. */
            schemaRegistry?: components["schemas"]["PipeKafkaSourceSchemaRegistry"];
        };
        PipeKafkaSourceDraft: {
            /**
             * @description Provider of the Kafka service. For information only.
             * @enum {string}
             */
            type?: "kafka" | "redpanda" | "confluent" | "msk" | "warpstream" | "azureeventhub" | "gcmk" | "dokafka";
            /**
             * @description Format of the records. Default: `AvroConfluent` if `schemaRegistry` is set, otherwise `JSONEachRow`.
             * @enum {string}
             */
            format?: "JSONEachRow" | "Avro" | "AvroConfluent" | "Protobuf";
            /** @description Brokers as comma-separated host:port pairs. */
            brokers: string;
            /** @description Topics to check, comma-separated. If absent, no topic is checked. */
            topics?: string;
            /** @description Consumer group (1–255 characters). If absent, the server derives one from the pipe's id. */
            consumerGroup?: string;
            /**
             * @description Authentication method. Default: `PLAIN` if `credentials` is set.
             * @enum {string}
             */
            authentication?: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512" | "MUTUAL_TLS" | "IAM_ROLE" | "IAM_USER";
            /** @description ARN of the role to assume. Required for IAM_ROLE. */
            iamRole?: string;
            /** @description Start position of partitions without a stored position. */
            offset?: components["schemas"]["PipeKafkaSourceDraftOffset"];
            /** @description PEM certificates of the brokers' certificate authority. */
            caCertificate?: string;
            /** @description Ids of private endpoints of the source (at most 50). Stored and returned; this deployment does not use them. */
            reversePrivateEndpointIds?: string[];
            /** @description Stored and returned. Every pipe stores each record exactly once. */
            exactlyOnce?: boolean;
            /** @description Schema registry of the records. Required for AvroConfluent and Protobuf. */
            schemaRegistry?: components["schemas"]["PipeKafkaSourceDraftSchemaRegistry"];
            credentials?: components["schemas"]["PipeKafkaCredentials"];
        };
        PipeKafkaSourceDraftOffset: {
            /**
             * @description Start position of a partition without a stored position. Default: `from_timestamp` if `timestamp` is set, otherwise `from_beginning`.
             * @enum {string}
             */
            strategy?: "from_beginning" | "from_latest" | "from_timestamp";
            /** @description Start time in UTC, `YYYY-MM-DDTHH:MM`. Required for `from_timestamp`. */
            timestamp?: string;
        };
        PipeKafkaSourceDraftSchemaRegistry: {
            /** @description URL of the schema registry. */
            url: string;
            /**
             * @description Authentication method. Default: `PLAIN` if `credentials` is set.
             * @enum {string}
             */
            authentication?: "PLAIN" | "NONE";
            /** @description PEM certificates of the registry's certificate authority. */
            caCertificate?: string;
            credentials?: components["schemas"]["PipeUserCredentials"];
        };
        PipeKafkaSourceInput: {
            /**
             * @description Provider of the Kafka service. For information only.
             * @enum {string}
             */
            type?: "kafka" | "redpanda" | "confluent" | "msk" | "warpstream" | "azureeventhub" | "gcmk" | "dokafka";
            /**
             * @description Format of the records. Default: `AvroConfluent` if `schemaRegistry` is set, otherwise `JSONEachRow`.
             * @enum {string}
             */
            format?: "JSONEachRow" | "Avro" | "AvroConfluent" | "Protobuf";
            /** @description Brokers as comma-separated host:port pairs. */
            brokers: string;
            /** @description Topics to read, comma-separated. */
            topics: string;
            /** @description Consumer group (1–255 characters). If absent, the server derives one from the pipe's id. */
            consumerGroup?: string;
            /**
             * @description Authentication method. Default: `PLAIN` if `credentials` is set.
             * @enum {string}
             */
            authentication?: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512" | "MUTUAL_TLS" | "IAM_ROLE" | "IAM_USER";
            /** @description ARN of the role to assume. Required for IAM_ROLE. */
            iamRole?: string;
            /** @description Start position of partitions without a stored position. */
            offset?: components["schemas"]["PipeKafkaSourceInputOffset"];
            /** @description PEM certificates of the brokers' certificate authority. */
            caCertificate?: string;
            /** @description Ids of private endpoints of the source (at most 50). Stored and returned; this deployment does not use them. */
            reversePrivateEndpointIds?: string[];
            /** @description Stored and returned. Every pipe stores each record exactly once. */
            exactlyOnce?: boolean;
            /** @description Schema registry of the records. Required for AvroConfluent and Protobuf. */
            schemaRegistry?: components["schemas"]["PipeKafkaSourceInputSchemaRegistry"];
            credentials?: components["schemas"]["PipeKafkaCredentials"];
        };
        PipeKafkaSourceInputOffset: {
            /**
             * @description Start position of a partition without a stored position. Default: `from_timestamp` if `timestamp` is set, otherwise `from_beginning`.
             * @enum {string}
             */
            strategy?: "from_beginning" | "from_latest" | "from_timestamp";
            /** @description Start time in UTC, `YYYY-MM-DDTHH:MM`. Required for `from_timestamp`. */
            timestamp?: string;
        };
        PipeKafkaSourceInputSchemaRegistry: {
            /** @description URL of the schema registry. */
            url: string;
            /**
             * @description Authentication method. Default: `PLAIN` if `credentials` is set.
             * @enum {string}
             */
            authentication?: "PLAIN" | "NONE";
            /** @description PEM certificates of the registry's certificate authority. */
            caCertificate?: string;
            credentials?: components["schemas"]["PipeUserCredentials"];
        };
        PipeKafkaSourceOffset: {
            /**
             * @description Start position of a partition without a stored position. Default: `from_timestamp` if `timestamp` is set, otherwise `from_beginning`.
             * @enum {string}
             */
            strategy?: "from_beginning" | "from_latest" | "from_timestamp";
            /** @description Start time in UTC, `YYYY-MM-DDTHH:MM`. Required for `from_timestamp`. */
            timestamp?: string;
        };
        PipeKafkaSourceSchemaRegistry: {
            /** @description URL of the schema registry. */
            url: string;
            /**
             * @description Authentication method. Default: `PLAIN` if `credentials` is set.
             * @enum {string}
             */
            authentication?: "PLAIN" | "NONE";
            /** @description PEM certificates of the registry's certificate authority. */
            caCertificate?: string;
        };
        PipeKafkaSourceUpdate: {
            /** @description ARN of the role to assume. Required for IAM_ROLE. */
            iamRole?: string;
            /** @description PEM certificates of the brokers' certificate authority. */
            caCertificate?: string;
            /** @description Ids of private endpoints of the source (at most 50). Stored and returned; this deployment does not use them. */
            reversePrivateEndpointIds?: string[];
            credentials?: components["schemas"]["PipeKafkaCredentials"];
            /**
             * @description Cannot be changed. An update may repeat the stored value.
             * @enum {string}
             */
            type?: "kafka" | "redpanda" | "confluent" | "msk" | "warpstream" | "azureeventhub" | "gcmk" | "dokafka";
            /**
             * @description Cannot be changed. An update may repeat the stored value.
             * @enum {string}
             */
            format?: "JSONEachRow" | "Avro" | "AvroConfluent" | "Protobuf";
            /** @description Cannot be changed. An update may repeat the stored value. */
            brokers?: string;
            /** @description Cannot be changed. An update may repeat the stored value. */
            topics?: string;
            /** @description Cannot be changed. An update may repeat the stored value. */
            consumerGroup?: string;
            /**
             * @description Cannot be changed. An update may repeat the stored value.
             * @enum {string}
             */
            authentication?: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512" | "MUTUAL_TLS" | "IAM_ROLE" | "IAM_USER";
            /** @description Cannot be changed. An update may repeat the stored value. */
            offset?: components["schemas"]["PipeKafkaSourceUpdateOffset"];
            /** @description Cannot be changed. An update may repeat the stored value. */
            exactlyOnce?: boolean;
            /** @description Cannot be changed. An update may repeat the stored value. */
            schemaRegistry?: components["schemas"]["PipeKafkaSourceUpdateSchemaRegistry"];
        };
        PipeKafkaSourceUpdateOffset: {
            /**
             * @description Start position of a partition without a stored position. Default: `from_timestamp` if `timestamp` is set, otherwise `from_beginning`.
             * @enum {string}
             */
            strategy?: "from_beginning" | "from_latest" | "from_timestamp";
            /** @description Start time in UTC, `YYYY-MM-DDTHH:MM`. Required for `from_timestamp`. */
            timestamp?: string;
        };
        PipeKafkaSourceUpdateSchemaRegistry: {
            /** @description URL of the schema registry. */
            url: string;
            /**
             * @description Authentication method. Default: `PLAIN` if `credentials` is set.
             * @enum {string}
             */
            authentication?: "PLAIN" | "NONE";
            /** @description PEM certificates of the registry's certificate authority. */
            caCertificate?: string;
            credentials?: components["schemas"]["PipeUserCredentials"];
        };
        /**
         * @example {
         *       "rows": 1204512,
         *       "bytes": 184290336,
         *       "errors": 2,
         *       "batches": 241,
         *       "lag": 0,
         *       "oldestUnprocessedAt": null,
         *       "lastError": {
         *         "message": "amount: not a Decimal(18, 2)",
         *         "at": "2026-03-14T09:26:53.589Z"
         *       },
         *       "checkpoint": [
         *         {
         *           "partition": "orders/0",
         *           "position": "1204513",
         *           "storedAt": "2026-03-14T09:30:05.000Z"
         *         }
         *       ]
         *     }
         */
        PipeMetrics: {
            /**
             * Format: double
             * @description Number of rows inserted since the pipe was created.
             */
            rows: number;
            /**
             * Format: double
             * @description Number of bytes of record data inserted since the pipe was created.
             */
            bytes: number;
            /**
             * Format: double
             * @description Number of records refused since the pipe was created, without those that a replay has stored.
             */
            errors: number;
            /**
             * Format: double
             * @description Number of inserts.
             */
            batches: number;
            /** @description Number of records not stored yet, as of the last measurement of each partition. `null` if the source does not report it. */
            lag: number | null;
            /** @description Bytes of log that the source retains for the pipe, as of the last measurement. Only for sources that measure their lag in bytes. */
            retainedBytes?: number | null;
            /** @description Time at which the source received the oldest record that is not stored yet. If that record was not read yet, the time of the record before it. If records carry no time, the time of the partition's last insert. `null` if no record is waiting. */
            oldestUnprocessedAt: components["schemas"]["Timestamp"] | null;
            /** @description Last error of the pipe; `null` if there was none. */
            lastError: components["schemas"]["PipeMetricsLastError"] | null;
            /** @description Stored position of each partition. */
            checkpoint: components["schemas"]["PipeMetricsCheckpointItem"][];
            /** @description The figures at each minute in which the pipe ran, oldest first. Only with `from`. A minute is missing if the pipe did not run, or if the figures could not be stored. */
            series?: components["schemas"]["PipeMetricsPoint"][];
        };
        PipeMetricsCheckpointItem: {
            /** @description Name of the partition. */
            partition: string;
            /** @description Stored position; `null` if nothing is stored yet. */
            position: string | null;
            storedAt: components["schemas"]["Timestamp"];
        };
        PipeMetricsLastError: {
            /** @description Text of the error. */
            message: string;
            at: components["schemas"]["Timestamp"];
        };
        PipeMetricsPoint: {
            at: components["schemas"]["Timestamp"];
            /**
             * Format: double
             * @description Number of rows inserted since the pipe was created.
             */
            rows: number;
            /**
             * Format: double
             * @description Number of bytes of record data inserted since the pipe was created.
             */
            bytes: number;
            /**
             * Format: double
             * @description Number of records refused since the pipe was created, without those that a replay has stored.
             */
            errors: number;
            /** @description Number of records not stored yet, as of the last measurement of each partition. `null` if the source does not report it. */
            lag: number | null;
            /** @description Bytes of log that the source retains for the pipe. `null` if the source does not measure its lag in bytes. */
            retainedBytes: number | null;
            /** @description Time at which the source received the oldest record that is not stored yet. If that record was not read yet, the time of the record before it. If records carry no time, the time of the partition's last insert. `null` if no record is waiting. */
            oldestUnprocessedAt: components["schemas"]["Timestamp"] | null;
        };
        PipeObjectStorageSource: {
            /**
             * @description Provider of the object storage.
             * @enum {string}
             */
            type?: "s3" | "gcs" | "azureblobstorage" | "dospaces" | "r2" | "ovhobjectstorage" | "cloudflarer2";
            /**
             * @description Data format. If absent, the file extension decides.
             * @enum {string}
             */
            format?: "JSONEachRow" | "CSV" | "CSVWithNames" | "TabSeparated" | "TabSeparatedWithNames" | "Parquet" | "Avro";
            /**
             * @description Authentication method. `IAM_ROLE` requires `iamRole`, `IAM_USER` requires `accessKey`, `CONNECTION_STRING` requires `connectionString`.
             * @enum {string}
             */
            authentication?: "IAM_ROLE" | "IAM_USER" | "CONNECTION_STRING" | "PUBLIC";
            /** @description URL of the objects. Supports the glob patterns `?`, `*`, `**` and `{a,b}`. */
            url?: string;
            /** @description Delimiter between CSV values: one ASCII character (default `,`). */
            delimiter?: string;
            /**
             * @description Compression of the objects. If `auto` or absent, the file extension decides.
             * @enum {string}
             */
            compression?: "auto" | "none" | "gzip" | "gz" | "brotli" | "br" | "xz" | "LZMA" | "zstd";
            /** @description If true, the pipe keeps loading new objects. If false (default), it completes after the objects that exist at its start. */
            isContinuous?: boolean;
            /** @description Only false is supported. Stored and returned. */
            skipInitialLoad?: boolean;
            /** @description Not supported. Only null and the empty text are accepted. */
            startAfter?: string | null;
            /** @description URL of a queue that announces new objects. Requires `isContinuous: true`. */
            queueUrl?: string;
            /** @description ARN of the role to assume. */
            iamRole?: string;
            /** @description Path of the blobs in the container. Supports the same glob patterns as `url`. */
            path?: string;
            /** @description Name of the Azure Blob Storage container. */
            containerName?: string;
            /** @description Connection string with its secret values masked. */
            connectionString?: string;
        };
        PipeObjectStorageSourceDraft: {
            /**
             * @description Provider of the object storage.
             * @enum {string}
             */
            type?: "s3" | "gcs" | "azureblobstorage" | "dospaces" | "r2" | "ovhobjectstorage" | "cloudflarer2";
            /**
             * @description Data format. If absent, the file extension decides.
             * @enum {string}
             */
            format?: "JSONEachRow" | "CSV" | "CSVWithNames" | "TabSeparated" | "TabSeparatedWithNames" | "Parquet" | "Avro";
            /**
             * @description Authentication method. `IAM_ROLE` requires `iamRole`, `IAM_USER` requires `accessKey`, `CONNECTION_STRING` requires `connectionString`.
             * @enum {string}
             */
            authentication?: "IAM_ROLE" | "IAM_USER" | "CONNECTION_STRING" | "PUBLIC";
            /** @description URL of the objects. Supports the glob patterns `?`, `*`, `**` and `{a,b}`. */
            url?: string;
            /** @description Delimiter between CSV values: one ASCII character (default `,`). */
            delimiter?: string;
            /**
             * @description Compression of the objects. If `auto` or absent, the file extension decides.
             * @enum {string}
             */
            compression?: "auto" | "none" | "gzip" | "gz" | "brotli" | "br" | "xz" | "LZMA" | "zstd";
            /** @description If true, the pipe keeps loading new objects. If false (default), it completes after the objects that exist at its start. */
            isContinuous?: boolean;
            /** @description Only false is supported. Stored and returned. */
            skipInitialLoad?: boolean;
            /** @description Not supported. Only null and the empty text are accepted. */
            startAfter?: string | null;
            /** @description URL of a queue that announces new objects. Requires `isContinuous: true`. */
            queueUrl?: string;
            /** @description ARN of the role to assume. */
            iamRole?: string;
            /** @description Path of the blobs in the container. Supports the same glob patterns as `url`. */
            path?: string;
            /** @description Name of the Azure Blob Storage container. */
            containerName?: string;
            /** @description Connection string of Azure Blob Storage. Its secret values are write-only. */
            connectionString?: string;
            accessKey?: components["schemas"]["PipeAccessKey"];
        };
        PipeObjectStorageSourceInput: {
            /**
             * @description Provider of the object storage.
             * @enum {string}
             */
            type?: "s3" | "gcs" | "azureblobstorage" | "dospaces" | "r2" | "ovhobjectstorage" | "cloudflarer2";
            /**
             * @description Data format. If absent, the file extension decides.
             * @enum {string}
             */
            format?: "JSONEachRow" | "CSV" | "CSVWithNames" | "TabSeparated" | "TabSeparatedWithNames" | "Parquet" | "Avro";
            /**
             * @description Authentication method. `IAM_ROLE` requires `iamRole`, `IAM_USER` requires `accessKey`, `CONNECTION_STRING` requires `connectionString`.
             * @enum {string}
             */
            authentication?: "IAM_ROLE" | "IAM_USER" | "CONNECTION_STRING" | "PUBLIC";
            /** @description URL of the objects. Supports the glob patterns `?`, `*`, `**` and `{a,b}`. */
            url?: string;
            /** @description Delimiter between CSV values: one ASCII character (default `,`). */
            delimiter?: string;
            /**
             * @description Compression of the objects. If `auto` or absent, the file extension decides.
             * @enum {string}
             */
            compression?: "auto" | "none" | "gzip" | "gz" | "brotli" | "br" | "xz" | "LZMA" | "zstd";
            /** @description If true, the pipe keeps loading new objects. If false (default), it completes after the objects that exist at its start. */
            isContinuous?: boolean;
            /** @description Only false is supported. Stored and returned. */
            skipInitialLoad?: boolean;
            /** @description Not supported. Only null and the empty text are accepted. */
            startAfter?: string | null;
            /** @description URL of a queue that announces new objects. Requires `isContinuous: true`. */
            queueUrl?: string;
            /** @description ARN of the role to assume. */
            iamRole?: string;
            /** @description Path of the blobs in the container. Supports the same glob patterns as `url`. */
            path?: string;
            /** @description Name of the Azure Blob Storage container. */
            containerName?: string;
            /** @description Connection string of Azure Blob Storage. Its secret values are write-only. */
            connectionString?: string;
            accessKey?: components["schemas"]["PipeAccessKey"];
        };
        PipeObjectStorageSourceUpdate: {
            /** @description ARN of the role to assume. */
            iamRole?: string;
            /** @description Connection string of Azure Blob Storage. Its secret values are write-only. */
            connectionString?: string;
            /** @description Path of the blobs in the container. Supports the same glob patterns as `url`. */
            path?: string;
            /** @description Name of the Azure Blob Storage container. */
            containerName?: string;
            accessKey?: components["schemas"]["PipeAccessKey"];
            /**
             * @description Cannot be changed. An update may repeat the stored value.
             * @enum {string}
             */
            type?: "s3" | "gcs" | "azureblobstorage" | "dospaces" | "r2" | "ovhobjectstorage" | "cloudflarer2";
            /**
             * @description Cannot be changed. An update may repeat the stored value.
             * @enum {string}
             */
            format?: "JSONEachRow" | "CSV" | "CSVWithNames" | "TabSeparated" | "TabSeparatedWithNames" | "Parquet" | "Avro";
            /**
             * @description Cannot be changed. An update may repeat the stored value.
             * @enum {string}
             */
            authentication?: "IAM_ROLE" | "IAM_USER" | "CONNECTION_STRING" | "PUBLIC";
            /** @description Cannot be changed. An update may repeat the stored value. */
            url?: string;
            /** @description Cannot be changed. An update may repeat the stored value. */
            delimiter?: string;
            /**
             * @description Cannot be changed. An update may repeat the stored value.
             * @enum {string}
             */
            compression?: "auto" | "none" | "gzip" | "gz" | "brotli" | "br" | "xz" | "LZMA" | "zstd";
            /** @description Cannot be changed. An update may repeat the stored value. */
            isContinuous?: boolean;
            /** @description Cannot be changed. An update may repeat the stored value. */
            skipInitialLoad?: boolean;
            /** @description Cannot be changed. An update may repeat the stored value. */
            startAfter?: string | null;
            /** @description Cannot be changed. An update may repeat the stored value. */
            queueUrl?: string;
        };
        PipePostgresSettings: {
            /**
             * Format: double
             * @description Maximum time between two inserts of changes, in seconds (at least 1, default 60).
             */
            syncIntervalSeconds?: number;
            /**
             * Format: double
             * @description Number of rows after which changes are inserted (at least 1, default 100000).
             */
            pullBatchSize?: number;
            /** @description Existing publication to use. If absent, the pipe creates one. */
            publicationName?: string;
            /** @description Existing replication slot to use. If absent, the pipe creates one. */
            replicationSlotName?: string;
            /** @description If true, columns that can be NULL are Nullable. If false (default), NULL becomes the type's default. */
            allowNullableColumns?: boolean;
            /**
             * Format: double
             * @description Number of sections of a table that the snapshot reads in parallel (at least 1, default 4).
             */
            initialLoadParallelism?: number;
            /**
             * Format: double
             * @description Maximum number of rows in one range of the snapshot (at least 1000, default 100000).
             */
            snapshotNumRowsPerPartition?: number;
            /**
             * Format: double
             * @description Number of tables that the snapshot reads in parallel (at least 1, default 1).
             */
            snapshotNumberOfParallelTables?: number;
            /** @description Create a failover slot, which requires PostgreSQL 17 or later (default false). */
            enableFailoverSlots?: boolean;
            /**
             * @description `cdc` (default): snapshot and changes. `snapshot`: current rows only. `cdc_only`: changes only.
             * @enum {string}
             */
            replicationMode?: "cdc" | "snapshot" | "cdc_only";
            /** @description Only false is supported. Stored and returned. */
            deleteOnMerge?: boolean;
        };
        PipePostgresSettingsResult: {
            /**
             * Format: double
             * @description Maximum time between two inserts of changes, in seconds (at least 1, default 60).
             */
            syncIntervalSeconds?: number;
            /**
             * Format: double
             * @description Number of rows after which changes are inserted (at least 1, default 100000).
             */
            pullBatchSize?: number;
            /** @description Existing publication to use. If absent, the pipe creates one. */
            publicationName?: string;
            /** @description Existing replication slot to use. If absent, the pipe creates one. */
            replicationSlotName?: string;
            /** @description If true, columns that can be NULL are Nullable. If false (default), NULL becomes the type's default. */
            allowNullableColumns?: boolean;
            /**
             * Format: double
             * @description Number of sections of a table that the snapshot reads in parallel (at least 1, default 4).
             */
            initialLoadParallelism?: number;
            /**
             * Format: double
             * @description Maximum number of rows in one range of the snapshot (at least 1000, default 100000).
             */
            snapshotNumRowsPerPartition?: number;
            /**
             * Format: double
             * @description Number of tables that the snapshot reads in parallel (at least 1, default 1).
             */
            snapshotNumberOfParallelTables?: number;
            /** @description Create a failover slot, which requires PostgreSQL 17 or later (default false). */
            enableFailoverSlots?: boolean;
            /**
             * @description `cdc` (default): snapshot and changes. `snapshot`: current rows only. `cdc_only`: changes only.
             * @enum {string}
             */
            replicationMode?: "cdc" | "snapshot" | "cdc_only";
            /** @description Only false is supported. Stored and returned. */
            deleteOnMerge?: boolean;
        };
        PipePostgresSource: {
            /**
             * @description Provider of the PostgreSQL service. For information only.
             * @enum {string}
             */
            type?: "postgres" | "supabase" | "neon" | "alloydb" | "planetscale" | "rdspostgres" | "aurorapostgres" | "cloudsqlpostgres" | "azurepostgres" | "crunchybridge" | "tigerdata";
            /** @description Host name or IP address of the server. */
            host: string;
            /** @description Port of the server. */
            port: number;
            /** @description Database to replicate. */
            database: string;
            /**
             * @description Authentication method: user name and password.
             * @enum {string}
             */
            authentication?: "basic";
            /** @description Only false is supported. Stored and returned. */
            disableTls?: boolean;
            /** @description Only false is supported. Stored and returned. */
            skipCertVerification?: boolean;
            /** @description PEM certificates of the server's certificate authority. Makes TLS required. */
            caCertificate?: string;
            settings?: components["schemas"]["PipePostgresSettingsResult"];
            /** @description Tables to replicate (1–10000). */
            tableMappings: components["schemas"]["PipePostgresTableMappingResult"][];
        };
        PipePostgresSourceDraft: {
            /**
             * @description Provider of the PostgreSQL service. For information only.
             * @enum {string}
             */
            type?: "postgres" | "supabase" | "neon" | "alloydb" | "planetscale" | "rdspostgres" | "aurorapostgres" | "cloudsqlpostgres" | "azurepostgres" | "crunchybridge" | "tigerdata";
            /** @description Host name or IP address of the server. */
            host: string;
            /** @description Port of the server (1–65535, default 5432). */
            port?: number;
            /** @description Database to replicate. */
            database: string;
            /**
             * @description Authentication method: user name and password.
             * @enum {string}
             */
            authentication?: "basic";
            /** @description Only false is supported. Stored and returned. */
            disableTls?: boolean;
            /** @description Only false is supported. Stored and returned. */
            skipCertVerification?: boolean;
            /** @description PEM certificates of the server's certificate authority. Makes TLS required. */
            caCertificate?: string;
            settings?: components["schemas"]["PipePostgresSettings"];
            /** @description Tables to check (1–10000). If absent, no table is checked. */
            tableMappings?: components["schemas"]["PipePostgresTableMapping"][];
            credentials?: components["schemas"]["PipeUserCredentials"];
        };
        PipePostgresSourceInput: {
            /**
             * @description Provider of the PostgreSQL service. For information only.
             * @enum {string}
             */
            type?: "postgres" | "supabase" | "neon" | "alloydb" | "planetscale" | "rdspostgres" | "aurorapostgres" | "cloudsqlpostgres" | "azurepostgres" | "crunchybridge" | "tigerdata";
            /** @description Host name or IP address of the server. */
            host: string;
            /** @description Port of the server (1–65535, default 5432). */
            port?: number;
            /** @description Database to replicate. */
            database: string;
            /**
             * @description Authentication method: user name and password.
             * @enum {string}
             */
            authentication?: "basic";
            /** @description Only false is supported. Stored and returned. */
            disableTls?: boolean;
            /** @description Only false is supported. Stored and returned. */
            skipCertVerification?: boolean;
            /** @description PEM certificates of the server's certificate authority. Makes TLS required. */
            caCertificate?: string;
            settings?: components["schemas"]["PipePostgresSettings"];
            /** @description Tables to replicate (1–10000). */
            tableMappings: components["schemas"]["PipePostgresTableMapping"][];
            credentials?: components["schemas"]["PipeUserCredentials"];
        };
        PipePostgresSourceUpdate: {
            /** @description Host name or IP address of the server. */
            host?: string;
            /** @description Port of the server (1–65535, default 5432). */
            port?: number;
            /** @description Database to replicate. */
            database?: string;
            credentials?: components["schemas"]["PipeUserCredentials"];
            /** @description Settings to change. */
            settings?: components["schemas"]["PipePostgresSourceUpdateSettings"];
            /** @description Tables to add (at most 10000). */
            tableMappingsToAdd?: components["schemas"]["PipePostgresTableMapping"][];
            /** @description Tables to remove (at most 10000). */
            tableMappingsToRemove?: components["schemas"]["PipePostgresTableReference"][];
            /**
             * @description Cannot be changed. An update may repeat the stored value.
             * @enum {string}
             */
            type?: "postgres" | "supabase" | "neon" | "alloydb" | "planetscale" | "rdspostgres" | "aurorapostgres" | "cloudsqlpostgres" | "azurepostgres" | "crunchybridge" | "tigerdata";
            /**
             * @description Cannot be changed. An update may repeat the stored value.
             * @enum {string}
             */
            authentication?: "basic";
            /** @description Cannot be changed. An update may repeat the stored value. */
            disableTls?: boolean;
            /** @description Cannot be changed. An update may repeat the stored value. */
            skipCertVerification?: boolean;
            /** @description Cannot be changed. An update may repeat the stored value. */
            caCertificate?: string;
            /** @description Cannot be changed. An update may repeat the stored value. */
            tableMappings?: components["schemas"]["PipePostgresTableMapping"][];
        };
        PipePostgresSourceUpdateSettings: {
            /**
             * Format: double
             * @description Maximum time between two inserts of changes, in seconds (at least 1, default 60).
             */
            syncIntervalSeconds?: number;
            /**
             * Format: double
             * @description Number of rows after which changes are inserted (at least 1, default 100000).
             */
            pullBatchSize?: number;
            /** @description Cannot be changed. An update may repeat the stored value. */
            publicationName?: string;
            /** @description Cannot be changed. An update may repeat the stored value. */
            replicationSlotName?: string;
            /** @description Cannot be changed. An update may repeat the stored value. */
            allowNullableColumns?: boolean;
            /**
             * Format: double
             * @description Cannot be changed. An update may repeat the stored value.
             */
            initialLoadParallelism?: number;
            /**
             * Format: double
             * @description Cannot be changed. An update may repeat the stored value.
             */
            snapshotNumRowsPerPartition?: number;
            /**
             * Format: double
             * @description Cannot be changed. An update may repeat the stored value.
             */
            snapshotNumberOfParallelTables?: number;
            /** @description Cannot be changed. An update may repeat the stored value. */
            enableFailoverSlots?: boolean;
            /**
             * @description Cannot be changed. An update may repeat the stored value.
             * @enum {string}
             */
            replicationMode?: "cdc" | "snapshot" | "cdc_only";
            /** @description Cannot be changed. An update may repeat the stored value. */
            deleteOnMerge?: boolean;
        };
        PipePostgresTableMapping: {
            /** @description Schema of the source table. */
            sourceSchemaName: string;
            /** @description Name of the source table. */
            sourceTable: string;
            /** @description Name of the target table. */
            targetTable: string;
            /** @description Columns that are not replicated (at most 1600). */
            excludedColumns?: string[];
            /** @description If true, sort the target table by `sortingKeys` (default false). */
            useCustomSortingKey?: boolean;
            /** @description Columns to sort by (at most 64). They must include the key of the replica identity. */
            sortingKeys?: string[];
            /**
             * @description Engine of the target table (default ReplacingMergeTree).
             * @enum {string}
             */
            tableEngine?: "MergeTree" | "ReplacingMergeTree" | "Null";
            /** @description Not supported. Only null and the empty text are accepted. */
            partitionKey?: string | null;
            /** @description Not supported. Only null and the empty text are accepted. */
            partitionByExpr?: string | null;
        };
        PipePostgresTableMappingResult: {
            /** @description Schema of the source table. */
            sourceSchemaName: string;
            /** @description Name of the source table. */
            sourceTable: string;
            /** @description Name of the target table. */
            targetTable: string;
            /** @description Columns that are not replicated (at most 1600). */
            excludedColumns?: string[];
            /** @description If true, sort the target table by `sortingKeys` (default false). */
            useCustomSortingKey?: boolean;
            /** @description Columns to sort by (at most 64). They must include the key of the replica identity. */
            sortingKeys?: string[];
            /**
             * @description Engine of the target table (default ReplacingMergeTree).
             * @enum {string}
             */
            tableEngine?: "MergeTree" | "ReplacingMergeTree" | "Null";
            /** @description Not supported. Only null and the empty text are accepted. */
            partitionKey?: string | null;
            /** @description Not supported. Only null and the empty text are accepted. */
            partitionByExpr?: string | null;
        };
        PipePostgresTableReference: {
            /** @description Schema of the source table. */
            sourceSchemaName: string;
            /** @description Name of the source table. */
            sourceTable: string;
            /** @description Name of the target table. */
            targetTable: string;
            /** @description Ignored. Clients send the whole table mapping. */
            excludedColumns?: string[];
            /** @description Ignored. Clients send the whole table mapping. */
            useCustomSortingKey?: boolean;
            /** @description Ignored. Clients send the whole table mapping. */
            sortingKeys?: string[];
            /**
             * @description Ignored. Clients send the whole table mapping.
             * @enum {string}
             */
            tableEngine?: "MergeTree" | "ReplacingMergeTree" | "Null";
            /** @description Ignored. Clients send the whole table mapping. */
            partitionKey?: string | null;
            /** @description Ignored. Clients send the whole table mapping. */
            partitionByExpr?: string | null;
        };
        /** @description Parts of the body that creates a pipe for the item. Add them to the fields of the draft. Absent if the sample has no record with fields. */
        PipeProposal: {
            /** @description Fields of the source that make a pipe read the item. */
            source: components["schemas"]["PipeSourceProposal"];
            /** @description Absent for a database: its tables define the columns. */
            destination?: components["schemas"]["PipeProposalDestination"];
            /** @description Mappings of record fields to columns. Empty if each column takes the field of its name. */
            fieldMappings: components["schemas"]["PipeFieldMappingResult"][];
        };
        PipeProposalDestination: {
            /** @description Name for the table. */
            table: string;
            /** @description Columns for the fields seen. */
            columns: components["schemas"]["PipeColumnResult"][];
        };
        /**
         * @example {
         *       "state": "Completed",
         *       "requestedAt": "2026-03-14T09:40:00.000Z",
         *       "endedAt": "2026-03-14T09:40:02.215Z",
         *       "replayed": 41,
         *       "refused": 1,
         *       "message": null
         *     }
         */
        PipeReplay: {
            /**
             * @description `None`: no replay was requested yet. `Pending`: no process has begun the replay yet. `Running` and `Completed`: the records are being stored, or all of them were tried. `Failed`: the replay cannot go on; `message` says why.
             * @enum {string}
             */
            state: "None" | "Pending" | "Running" | "Completed" | "Failed";
            /** @description Records that were refused until this time are replayed. */
            requestedAt: components["schemas"]["Timestamp"] | null;
            endedAt: components["schemas"]["Timestamp"] | null;
            /**
             * Format: double
             * @description Number of records that were stored.
             */
            replayed: number;
            /**
             * Format: double
             * @description Number of records that were refused again.
             */
            refused: number;
            /** @description Reason why the replay waits or failed; `null` if it does neither. */
            message: string | null;
        };
        PipeSampleRecord: {
            /** @description Place of the record in the item. */
            position: string;
            /** @description JSON text of the record, or the text of a record that cannot be decoded. */
            data: string;
            /** @description Whether `data` is only the beginning of the text. */
            isCut: boolean;
            /** @description Why the record cannot be decoded. */
            problem?: string;
        };
        PipeScaling: {
            /**
             * Format: double
             * @description Number of readers that share the source (1–40, default 1).
             */
            replicas: number;
            /**
             * Format: double
             * @description Number of parallel inserts in one replica (0–35, default 0); 0 chooses automatically.
             */
            concurrency: number;
            /**
             * Format: double
             * @description CPU share of one replica, in thousandths of a core (125–2000, default 125).
             */
            replicaCpuMillicores: number;
            /**
             * Format: double
             * @description Memory of one replica in GiB (0.5–8, default 0.5). Limits the data that a replica buffers before an insert.
             */
            replicaMemoryGb: number;
        };
        PipeScalingInput: {
            /**
             * Format: double
             * @description Number of readers that share the source (1–40, default 1).
             */
            replicas?: number;
            /**
             * Format: double
             * @description Number of parallel inserts in one replica (0–35, default 0); 0 chooses automatically.
             */
            concurrency?: number;
            /**
             * Format: double
             * @description CPU share of one replica, in thousandths of a core (125–2000, default 125).
             */
            replicaCpuMillicores?: number;
            /**
             * Format: double
             * @description Memory of one replica in GiB (0.5–8, default 0.5). Limits the data that a replica buffers before an insert.
             */
            replicaMemoryGb?: number;
        };
        /**
         * @example {
         *       "replicaCpuMillicores": 1000,
         *       "replicaMemoryGb": 4
         *     }
         */
        PipesCdcScaling: {
            /**
             * Format: double
             * @description CPU share of one replica, in thousandths of a core (125–2000, default 125).
             */
            replicaCpuMillicores: number;
            /**
             * Format: double
             * @description Memory of one replica in GiB (0.5–8, default 0.5). Limits the data that a replica buffers before an insert.
             */
            replicaMemoryGb: number;
        };
        PipesCdcScalingInput: {
            /**
             * Format: double
             * @description CPU share of one replica, in thousandths of a core (125–2000, default 125).
             */
            replicaCpuMillicores?: number;
            /**
             * Format: double
             * @description Memory of one replica in GiB (0.5–8, default 0.5). Limits the data that a replica buffers before an insert.
             */
            replicaMemoryGb?: number;
        };
        /**
         * @example {
         *       "streaming_max_insert_wait_ms": 5000,
         *       "object_storage_concurrency": 1,
         *       "object_storage_polling_interval_ms": 30000,
         *       "object_storage_max_insert_bytes": 10737418240,
         *       "object_storage_max_file_count": 100,
         *       "engine_max_threads": 0,
         *       "engine_max_insert_threads": 1,
         *       "engine_min_insert_block_size_bytes": 1073741824,
         *       "engine_max_download_threads": 4,
         *       "engine_parallel_distributed_insert_select": 2,
         *       "object_storage_use_cluster_function": true,
         *       "engine_parallel_view_processing": false
         *     }
         */
        PipeSettings: {
            /**
             * Format: double
             * @description Streaming sources: maximum time a record waits before the pipe inserts it, in milliseconds (500–60000).
             */
            streaming_max_insert_wait_ms: number;
            /**
             * Format: double
             * @description Number of object batches loaded in parallel (1–35).
             */
            object_storage_concurrency: number;
            /**
             * Format: double
             * @description Continuous object storage pipes: time between two listings, in milliseconds (100–3600000).
             */
            object_storage_polling_interval_ms: number;
            /**
             * Format: double
             * @description Maximum total size of the objects in one insert, in bytes (10 MiB–50 GiB).
             */
            object_storage_max_insert_bytes: number;
            /**
             * Format: double
             * @description Maximum number of objects in one insert (1–10000).
             */
            object_storage_max_file_count: number;
            /**
             * Format: double
             * @description Maximum number of engine threads for one query (0–64); 0 chooses by the number of processors.
             */
            engine_max_threads: number;
            /**
             * Format: double
             * @description Number of engine threads that write one insert (0–16).
             */
            engine_max_insert_threads: number;
            /**
             * Format: double
             * @description Size up to which the engine collects blocks before it writes them, in bytes (0–10 GiB).
             */
            engine_min_insert_block_size_bytes: number;
            /**
             * Format: double
             * @description Number of threads that download one object (0–32).
             */
            engine_max_download_threads: number;
            /**
             * Format: double
             * @description Distributed INSERT SELECT: 0 disables it, 1 runs SELECT on each shard, 2 runs SELECT and INSERT on each shard.
             */
            engine_parallel_distributed_insert_select: number;
            /** @description Read objects with all nodes of the cluster, if the engine is a cluster. */
            object_storage_use_cluster_function: boolean;
            /** @description Process materialized views of the table in parallel. */
            engine_parallel_view_processing: boolean;
        };
        PipeSettingsInput: {
            /** @description Streaming sources: maximum time a record waits before the pipe inserts it, in milliseconds (500–60000). Default 5000; null restores it. */
            streaming_max_insert_wait_ms?: number | null;
            /** @description Number of object batches loaded in parallel (1–35). Default 1; null restores it. */
            object_storage_concurrency?: number | null;
            /** @description Continuous object storage pipes: time between two listings, in milliseconds (100–3600000). Default 30000; null restores it. */
            object_storage_polling_interval_ms?: number | null;
            /** @description Maximum total size of the objects in one insert, in bytes (10 MiB–50 GiB). Default 10737418240; null restores it. */
            object_storage_max_insert_bytes?: number | null;
            /** @description Maximum number of objects in one insert (1–10000). Default 100; null restores it. */
            object_storage_max_file_count?: number | null;
            /** @description Maximum number of engine threads for one query (0–64); 0 chooses by the number of processors. Default 0; null restores it. */
            engine_max_threads?: number | null;
            /** @description Number of engine threads that write one insert (0–16). Default 1; null restores it. */
            engine_max_insert_threads?: number | null;
            /** @description Size up to which the engine collects blocks before it writes them, in bytes (0–10 GiB). Default 1073741824; null restores it. */
            engine_min_insert_block_size_bytes?: number | null;
            /** @description Number of threads that download one object (0–32). Default 4; null restores it. */
            engine_max_download_threads?: number | null;
            /** @description Distributed INSERT SELECT: 0 disables it, 1 runs SELECT on each shard, 2 runs SELECT and INSERT on each shard. Default 2; null restores it. */
            engine_parallel_distributed_insert_select?: number | null;
            /** @description Read objects with all nodes of the cluster, if the engine is a cluster. Default true; null restores it. */
            object_storage_use_cluster_function?: boolean | null;
            /** @description Process materialized views of the table in parallel. Default false; null restores it. */
            engine_parallel_view_processing?: boolean | null;
        };
        PipeSource: {
            kafka?: components["schemas"]["PipeKafkaSource"];
            objectStorage?: components["schemas"]["PipeObjectStorageSource"];
            cloudstream?: components["schemas"]["PipeCloudstreamSource"];
            postgres?: components["schemas"]["PipePostgresSource"];
        };
        PipeSourceDraft: {
            kafka?: components["schemas"]["PipeKafkaSourceDraft"];
            objectStorage?: components["schemas"]["PipeObjectStorageSourceDraft"];
            cloudstream?: components["schemas"]["PipeCloudstreamSourceDraft"];
            postgres?: components["schemas"]["PipePostgresSourceDraft"];
        };
        PipeSourceInput: {
            kafka?: components["schemas"]["PipeKafkaSourceInput"];
            objectStorage?: components["schemas"]["PipeObjectStorageSourceInput"];
            cloudstream?: components["schemas"]["PipeCloudstreamSourceInput"];
            postgres?: components["schemas"]["PipePostgresSourceInput"];
            /** @description If true, the server connects, reads up to 10 records and checks that they map to the columns and convert to their types before it stores the pipe. Default false. */
            validateSamples?: boolean;
        };
        PipeSourceIssue: {
            /** @description Field of the request at fault. */
            path: string;
            reason: components["schemas"]["PipeSourceProblemReason"];
            /** @description What failed, and the action to take. */
            message: string;
        };
        PipeSourceItem: {
            /** @description Name of the item. Send it as `item` to see records. */
            id: string;
            /**
             * Format: int64
             * @description Number of partitions of a topic.
             */
            partitions?: number;
            /**
             * Format: double
             * @description Size of an object, in bytes.
             */
            bytes?: number;
            /** @description Time of the last change of an object. */
            modifiedAt?: components["schemas"]["Timestamp"];
            /** @description Columns of a table that a pipe replicates. */
            columns?: components["schemas"]["PipeSourceItemColumnsItem"][];
            /** @description Columns of the primary key of a table. Empty if it has none. */
            primaryKey?: string[];
            /** @description Why a pipe with these settings cannot read the item, and the action to take. */
            problem?: string;
        };
        PipeSourceItemColumnsItem: {
            /** @description Name of the column. */
            name: string;
            /** @description Type in the source database. */
            sourceType: string;
            /** @description ClickHouse type of the column in the target. */
            type: string;
            /** @description Whether the column can be NULL. */
            isNullable: boolean;
        };
        /**
         * @description `address_refused`: this server must not connect to the address. `not_permitted`: the login lacks a privilege. `nothing_found`: no object matches the pattern. `replication_refused`: the database cannot replicate changes of these tables to this login. `unsupported`: pipes do not support the settings, the version of the source or the format. `unreadable`: the data cannot be read.
         * @enum {string}
         */
        PipeSourceProblemReason: "host_not_found" | "address_refused" | "connection_failed" | "timed_out" | "tls_refused" | "login_refused" | "not_permitted" | "not_found" | "nothing_found" | "replication_refused" | "unsupported" | "unreadable";
        PipeSourceProposal: {
            kafka?: components["schemas"]["PipeSourceProposalKafka"];
            objectStorage?: components["schemas"]["PipeSourceProposalObjectStorage"];
            cloudstream?: components["schemas"]["PipeSourceProposalCloudstream"];
            postgres?: components["schemas"]["PipeSourceProposalPostgres"];
        };
        PipeSourceProposalCloudstream: {
            /** @description Name of the stream. */
            streamName?: string;
            /** @description Region of the stream, such as us-east-1. */
            region?: string;
            /**
             * @description Format of the records (default `JSONEachRow`).
             * @enum {string}
             */
            format?: "JSONEachRow" | "Avro";
            /** @description If true, read with a dedicated throughput per consumer (default false). */
            useEnhancedFanOut?: boolean;
            /**
             * @description Start position of a shard without a stored position. Default: `AT_TIMESTAMP` if `timestamp` is set, otherwise `TRIM_HORIZON`.
             * @enum {string}
             */
            iteratorType?: "TRIM_HORIZON" | "LATEST" | "AT_TIMESTAMP";
            /**
             * Format: int64
             * @description Start time in Unix seconds, for `AT_TIMESTAMP`.
             */
            timestamp?: number;
            /**
             * @description Authentication method. `IAM_ROLE` requires `iamRole`, `IAM_USER` requires `accessKey`.
             * @enum {string}
             */
            authentication?: "IAM_ROLE" | "IAM_USER";
            /** @description ARN of the role to assume. */
            iamRole?: string;
        };
        PipeSourceProposalKafka: {
            /**
             * @description Provider of the Kafka service. For information only.
             * @enum {string}
             */
            type?: "kafka" | "redpanda" | "confluent" | "msk" | "warpstream" | "azureeventhub" | "gcmk" | "dokafka";
            /**
             * @description Format of the records. Default: `AvroConfluent` if `schemaRegistry` is set, otherwise `JSONEachRow`.
             * @enum {string}
             */
            format?: "JSONEachRow" | "Avro" | "AvroConfluent" | "Protobuf";
            /** @description Brokers as comma-separated host:port pairs. */
            brokers?: string;
            /** @description Topics to read, comma-separated. */
            topics?: string;
            /** @description Consumer group (1–255 characters). If absent, the server derives one from the pipe's id. */
            consumerGroup?: string;
            /**
             * @description Authentication method. Default: `PLAIN` if `credentials` is set.
             * @enum {string}
             */
            authentication?: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512" | "MUTUAL_TLS" | "IAM_ROLE" | "IAM_USER";
            /** @description ARN of the role to assume. Required for IAM_ROLE. */
            iamRole?: string;
            /** @description Start position of partitions without a stored position. */
            offset?: components["schemas"]["PipeSourceProposalKafkaOffset"];
            /** @description PEM certificates of the brokers' certificate authority. */
            caCertificate?: string;
            /** @description Ids of private endpoints of the source (at most 50). Stored and returned; this deployment does not use them. */
            reversePrivateEndpointIds?: string[];
            /** @description Stored and returned. Every pipe stores each record exactly once. */
            exactlyOnce?: boolean;
            /** @description Schema registry of the records. */
            schemaRegistry?: components["schemas"]["PipeSourceProposalKafkaSchemaRegistry"];
        };
        PipeSourceProposalKafkaOffset: {
            /**
             * @description Start position of a partition without a stored position. Default: `from_timestamp` if `timestamp` is set, otherwise `from_beginning`.
             * @enum {string}
             */
            strategy?: "from_beginning" | "from_latest" | "from_timestamp";
            /** @description Start time in UTC, `YYYY-MM-DDTHH:MM`. Required for `from_timestamp`. */
            timestamp?: string;
        };
        PipeSourceProposalKafkaSchemaRegistry: {
            /** @description URL of the schema registry. */
            url: string;
            /**
             * @description Authentication method. Default: `PLAIN` if `credentials` is set.
             * @enum {string}
             */
            authentication?: "PLAIN" | "NONE";
            /** @description PEM certificates of the registry's certificate authority. */
            caCertificate?: string;
        };
        PipeSourceProposalObjectStorage: {
            /**
             * @description Provider of the object storage.
             * @enum {string}
             */
            type?: "s3" | "gcs" | "azureblobstorage" | "dospaces" | "r2" | "ovhobjectstorage" | "cloudflarer2";
            /**
             * @description Data format. If absent, the file extension decides.
             * @enum {string}
             */
            format?: "JSONEachRow" | "CSV" | "CSVWithNames" | "TabSeparated" | "TabSeparatedWithNames" | "Parquet" | "Avro";
            /**
             * @description Authentication method. `IAM_ROLE` requires `iamRole`, `IAM_USER` requires `accessKey`, `CONNECTION_STRING` requires `connectionString`.
             * @enum {string}
             */
            authentication?: "IAM_ROLE" | "IAM_USER" | "CONNECTION_STRING" | "PUBLIC";
            /** @description URL of the objects. Supports the glob patterns `?`, `*`, `**` and `{a,b}`. */
            url?: string;
            /** @description Delimiter between CSV values: one ASCII character (default `,`). */
            delimiter?: string;
            /**
             * @description Compression of the objects. If `auto` or absent, the file extension decides.
             * @enum {string}
             */
            compression?: "auto" | "none" | "gzip" | "gz" | "brotli" | "br" | "xz" | "LZMA" | "zstd";
            /** @description If true, the pipe keeps loading new objects. If false (default), it completes after the objects that exist at its start. */
            isContinuous?: boolean;
            /** @description Only false is supported. Stored and returned. */
            skipInitialLoad?: boolean;
            /** @description Not supported. Only null and the empty text are accepted. */
            startAfter?: string | null;
            /** @description URL of a queue that announces new objects. Requires `isContinuous: true`. */
            queueUrl?: string;
            /** @description ARN of the role to assume. */
            iamRole?: string;
            /** @description Path of the blobs in the container. Supports the same glob patterns as `url`. */
            path?: string;
            /** @description Name of the Azure Blob Storage container. */
            containerName?: string;
            /** @description Connection string with its secret values masked. */
            connectionString?: string;
        };
        PipeSourceProposalPostgres: {
            /**
             * @description Provider of the PostgreSQL service. For information only.
             * @enum {string}
             */
            type?: "postgres" | "supabase" | "neon" | "alloydb" | "planetscale" | "rdspostgres" | "aurorapostgres" | "cloudsqlpostgres" | "azurepostgres" | "crunchybridge" | "tigerdata";
            /** @description Host name or IP address of the server. */
            host?: string;
            /** @description Port of the server. */
            port?: number;
            /** @description Database to replicate. */
            database?: string;
            /**
             * @description Authentication method: user name and password.
             * @enum {string}
             */
            authentication?: "basic";
            /** @description Only false is supported. Stored and returned. */
            disableTls?: boolean;
            /** @description Only false is supported. Stored and returned. */
            skipCertVerification?: boolean;
            /** @description PEM certificates of the server's certificate authority. Makes TLS required. */
            caCertificate?: string;
            settings?: components["schemas"]["PipePostgresSettingsResult"];
            /** @description Tables to replicate (1–10000). */
            tableMappings?: components["schemas"]["PipePostgresTableMappingResult"][];
        };
        PipeSourceUpdate: {
            kafka?: components["schemas"]["PipeKafkaSourceUpdate"];
            objectStorage?: components["schemas"]["PipeObjectStorageSourceUpdate"];
            cloudstream?: components["schemas"]["PipeCloudstreamSourceUpdate"];
            postgres?: components["schemas"]["PipePostgresSourceUpdate"];
            /** @description If true, the server connects, reads up to 10 records and checks that they map to the columns and convert to their types before it stores the pipe. Default false. */
            validateSamples?: boolean;
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
        /** @enum {string} */
        PipeState: "Provisioning" | "Setup" | "Snapshot" | "Running" | "Degraded" | "Stopping" | "Stopped" | "Pausing" | "Paused" | "Completed" | "Failed" | "Deleting";
        PipeStateBody: {
            /**
             * @description `start` starts the pipe, `stop` stops it, and `resync` reads its source again.
             * @enum {string}
             */
            command: "start" | "stop" | "resync";
        };
        PipeTableDefinition: {
            engine?: components["schemas"]["PipeTableEngine"];
            /** @description Columns or expressions of ORDER BY. If absent or empty, the table is not sorted: `tuple()`. */
            sortingKey?: string[];
            /** @description Expression of PARTITION BY. */
            partitionBy?: string;
            /** @description Expression of PRIMARY KEY, a prefix of the sorting key. */
            primaryKey?: string;
        };
        PipeTableDefinitionResult: {
            engine?: components["schemas"]["PipeTableEngineResult"];
            /** @description Columns or expressions of ORDER BY. If absent or empty, the table is not sorted: `tuple()`. */
            sortingKey?: string[];
            /** @description Expression of PARTITION BY. */
            partitionBy?: string;
            /** @description Expression of PRIMARY KEY, a prefix of the sorting key. */
            primaryKey?: string;
        };
        PipeTableEngine: {
            /**
             * @description Table engine. If absent, the fields below decide; without them it is MergeTree.
             * @enum {string}
             */
            type?: "MergeTree" | "ReplacingMergeTree" | "SummingMergeTree" | "Null";
            /** @description Version column; selects ReplacingMergeTree. */
            versionColumnId?: string;
            /** @description Columns to sum; selects SummingMergeTree. */
            columnIds?: string[];
        };
        PipeTableEngineResult: {
            /**
             * @description Table engine. If absent, the fields below decide; without them it is MergeTree.
             * @enum {string}
             */
            type?: "MergeTree" | "ReplacingMergeTree" | "SummingMergeTree" | "Null";
            /** @description Version column; selects ReplacingMergeTree. */
            versionColumnId?: string;
            /** @description Columns to sum; selects SummingMergeTree. */
            columnIds?: string[];
        };
        PipeUpdateBody: {
            /** @description Name (1–255 characters). */
            name?: string;
            source?: components["schemas"]["PipeSourceUpdate"];
            /** @description Destination fields to change. */
            destination?: components["schemas"]["PipeUpdateBodyDestination"];
            /** @description Mappings of record fields to columns (at most 1000). */
            fieldMappings?: components["schemas"]["PipeFieldMapping"][];
            settings?: components["schemas"]["PipeSettingsInput"];
            /** @description Cannot be changed. An update may repeat the stored value. */
            scaling?: components["schemas"]["PipeScalingInput"];
        };
        PipeUpdateBodyDestination: {
            /** @description Columns that the pipe fills (1–1000). */
            columns?: components["schemas"]["PipeColumn"][];
            /** @description Cannot be changed. An update may repeat the stored value. */
            database?: string;
            /** @description Cannot be changed. An update may repeat the stored value. */
            table?: string;
            /** @description Cannot be changed. An update may repeat the stored value. */
            managedTable?: boolean;
            /** @description Cannot be changed. An update may repeat the stored value. */
            tableDefinition?: components["schemas"]["PipeTableDefinition"];
            /** @description Cannot be changed. An update may repeat the stored value. */
            roles?: string[];
        };
        /** @description Write-only. */
        PipeUserCredentials: {
            /** @description User name. Write-only. */
            username: string;
            /** @description Password. Write-only. */
            password: string;
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
        /** @description The machines, of all teams together. */
        ServerStatus: {
            /** @description Processes that share the metadata store, in the order of their starts. */
            nodes: components["schemas"]["NodeStatus"][];
            /** @description Shards (0–15) of alerts that no process evaluates. */
            freeAlertShards: number[];
            /** @description Telemetry engines. */
            engines: components["schemas"]["EngineStatus"][];
        };
        /**
         * @example {
         *       "id": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
         *       "name": "production",
         *       "state": "running",
         *       "organizationId": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
         *       "team": "65f0c1d2e3a4b5c6d7e8f900",
         *       "database": "telemetry",
         *       "createdAt": "2026-03-14T09:26:53.589Z"
         *     }
         */
        Service: {
            id: components["schemas"]["Uuid"];
            /** @description Name of the service. */
            name: string;
            /**
             * @description `running` if the telemetry engine responds, otherwise `degraded`.
             * @enum {string}
             */
            state: "running" | "degraded";
            organizationId: components["schemas"]["Uuid"];
            /** @description Team that owns the same objects on the open-source surface. */
            team: components["schemas"]["ObjectId"];
            /** @description Telemetry database that the service's sources read. */
            database: string;
            createdAt: components["schemas"]["Timestamp"];
        };
        ServiceChange: {
            /** @description Name of the service (1–255 characters). Outer spaces are removed. */
            name?: string;
        };
        ServiceInput: {
            /** @description Name of the service (1–255 characters). Outer spaces are removed. */
            name: string;
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
        SourceLog: {
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
        /** @description Table that the source reads. A metric source lists its tables in `metricTables`. */
        SourceTable: {
            /** @description Database of the table (1–256 characters). */
            databaseName: string;
            /** @description Name of the table (1–256 characters). */
            tableName: string;
        };
        SourceTrace: {
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
            id: components["schemas"]["ObjectId"];
            team: components["schemas"]["ObjectId"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
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
        /** @example 7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f */
        Uuid: string;
        /** @enum {string} */
        WebhookEventType: "alert.firing" | "alert.resolved" | "alert.test";
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
                 *       "status": 400,
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                 *       "error": "BAD_REQUEST: name: must have at least 1 character",
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
                 *       "status": 401,
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                 *       "error": "UNAUTHORIZED: a valid credential is needed"
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
                 *       "status": 403,
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                 *       "error": "FORBIDDEN: this credential does not permit createAlert: it needs the scope stack:write"
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
                 *       "status": 404,
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                 *       "error": "NOT_FOUND: alert not found"
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
                 *       "status": 408,
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                 *       "error": "BAD_REQUEST: the request was not complete in time"
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
                 *       "status": 409,
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                 *       "error": "CONFLICT: the Idempotency-Key was used for another request"
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
                 *       "status": 412,
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                 *       "error": "CONFLICT: the alert has changed since it was read: get it again and repeat the change"
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
                 *       "status": 413,
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                 *       "error": "BAD_REQUEST: the body is larger than 10 MiB"
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
                 *       "status": 415,
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                 *       "error": "BAD_REQUEST: the body must be application/json, not compressed"
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
                 *       "status": 429,
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                 *       "error": "RATE_LIMITED: more than 1000 requests in 10 s: try again in 7 s"
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
                 *       "status": 431,
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                 *       "error": "BAD_REQUEST: the headers are larger than 16 KiB"
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
                 *       "status": 500,
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                 *       "error": "INTERNAL: an unexpected error occurred; quote the request id when you report it"
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
                 *       "status": 503,
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                 *       "error": "INTERNAL: the metadata store cannot be reached"
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
                 *       "status": 504,
                 *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                 *       "error": "INTERNAL: the query took too long and was stopped: ask for a shorter range or a narrower condition"
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
    listOrganizations: {
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": [
                     *         {
                     *           "id": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
                     *           "name": "Example shop",
                     *           "createdAt": "2026-03-14T09:26:53.589Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Organization"][];
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
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "id": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
                     *         "name": "Example shop",
                     *         "createdAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Organization"];
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
    updateOrganization: {
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
                organizationId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example shop"
                 *     }
                 */
                "application/json": components["schemas"]["OrganizationChange"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "id": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
                     *         "name": "Example shop",
                     *         "createdAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Organization"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
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
    listServices: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
            };
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": [
                     *         {
                     *           "id": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
                     *           "name": "production",
                     *           "state": "running",
                     *           "organizationId": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
                     *           "team": "65f0c1d2e3a4b5c6d7e8f900",
                     *           "database": "telemetry",
                     *           "createdAt": "2026-03-14T09:26:53.589Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Service"][];
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
    createService: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                organizationId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "staging"
                 *     }
                 */
                "application/json": components["schemas"]["ServiceInput"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "id": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
                     *         "name": "staging",
                     *         "state": "running",
                     *         "organizationId": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
                     *         "team": "65f0c1d2e3a4b5c6d7e8f900",
                     *         "database": "sightline_3c6e0b8a",
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "ingestionKey": "sli_EXAMPLE-NOT-A-KEY"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["NewService"];
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
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "id": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
                     *         "name": "production",
                     *         "state": "running",
                     *         "organizationId": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
                     *         "team": "65f0c1d2e3a4b5c6d7e8f900",
                     *         "database": "telemetry",
                     *         "createdAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Service"];
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
    updateService: {
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "production"
                 *     }
                 */
                "application/json": components["schemas"]["ServiceChange"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "id": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
                     *         "name": "production",
                     *         "state": "running",
                     *         "organizationId": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
                     *         "team": "65f0c1d2e3a4b5c6d7e8f900",
                     *         "database": "telemetry",
                     *         "createdAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Service"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
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
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Status"];
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
    listActivities: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
                /** @description Return activities at or after this time. */
                from?: string;
                /** @description Return activities before this time. */
                to?: string;
                actorKind?: components["schemas"]["ActorKind"];
                /** @description Id of the key or user. */
                actorId?: string;
                operation?: string;
                objectKind?: string;
                objectId?: string;
                outcome?: components["schemas"]["ActivityOutcome"];
                serviceId?: components["schemas"]["Uuid"];
            };
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": [
                     *         {
                     *           "id": "0195943a-7c51-7d3e-9a42-6f1b2c3d4e5f",
                     *           "createdAt": "2026-03-14T09:26:53.589Z",
                     *           "actor": {
                     *             "kind": "key",
                     *             "id": "7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f",
                     *             "name": "Deployments"
                     *           },
                     *           "operation": "createAlert",
                     *           "object": {
                     *             "kind": "alert",
                     *             "id": "65f0c1d2e3a4b5c6d7e8f903"
                     *           },
                     *           "serviceId": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
                     *           "address": "203.0.113.7",
                     *           "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *           "outcome": "success",
                     *           "count": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Activity"][];
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
    listKeys: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
            };
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": [
                     *         {
                     *           "id": "5d2f8a1c-6b7e-4f90-a1c2-d3e4f5061728",
                     *           "name": "Deployments",
                     *           "state": "enabled",
                     *           "roles": [
                     *             "developer"
                     *           ],
                     *           "keySuffix": "Zk3f",
                     *           "createdAt": "2026-03-14T09:26:53.589Z",
                     *           "expireAt": "2027-01-01T00:00:00.000Z",
                     *           "ipAccessList": [
                     *             {
                     *               "source": "203.0.113.0/24",
                     *               "description": "Office"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Key"][];
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
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                organizationId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Deployments",
                 *       "roles": [
                 *         "developer"
                 *       ],
                 *       "expireAt": "2027-01-01T00:00:00Z",
                 *       "ipAccessList": [
                 *         {
                 *           "source": "203.0.113.0/24",
                 *           "description": "Office"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["KeyCreateBody"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "key": {
                     *           "id": "5d2f8a1c-6b7e-4f90-a1c2-d3e4f5061728",
                     *           "name": "Deployments",
                     *           "state": "enabled",
                     *           "roles": [
                     *             "developer"
                     *           ],
                     *           "keySuffix": "Zk3f",
                     *           "createdAt": "2026-03-14T09:26:53.589Z",
                     *           "expireAt": "2027-01-01T00:00:00.000Z",
                     *           "ipAccessList": [
                     *             {
                     *               "source": "203.0.113.0/24",
                     *               "description": "Office"
                     *             }
                     *           ]
                     *         },
                     *         "keyId": "EXAMPLENOTAKEYIDZk3f",
                     *         "keySecret": "EXAMPLE-NOT-A-SECRET"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["CreatedKey"];
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
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                keyId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "id": "5d2f8a1c-6b7e-4f90-a1c2-d3e4f5061728",
                     *         "name": "Deployments",
                     *         "state": "enabled",
                     *         "roles": [
                     *           "developer"
                     *         ],
                     *         "keySuffix": "Zk3f",
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "expireAt": "2027-01-01T00:00:00.000Z",
                     *         "ipAccessList": [
                     *           {
                     *             "source": "203.0.113.0/24",
                     *             "description": "Office"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Key"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteKey: {
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
                organizationId: components["schemas"]["Uuid"];
                keyId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        /** @description Steps that the deletion has not finished, and the action to take. Absent if it is complete. */
                        message?: string;
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
    updateKey: {
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
                organizationId: components["schemas"]["Uuid"];
                keyId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "state": "disabled"
                 *     }
                 */
                "application/json": components["schemas"]["KeyUpdateBody"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "id": "5d2f8a1c-6b7e-4f90-a1c2-d3e4f5061728",
                     *         "name": "Deployments",
                     *         "state": "enabled",
                     *         "roles": [
                     *           "developer"
                     *         ],
                     *         "keySuffix": "Zk3f",
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "expireAt": "2027-01-01T00:00:00.000Z",
                     *         "ipAccessList": [
                     *           {
                     *             "source": "203.0.113.0/24",
                     *             "description": "Office"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Key"];
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
    listDashboards: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
            };
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": [
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
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Dashboard"][];
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
    createDashboard: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
            };
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Dashboard"];
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
    validateDashboard: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
            };
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "valid": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        /**
                         * @example {
                         *       "valid": true
                         *     }
                         */
                        result: {
                            /** @description Always true: mistakes are a 400. */
                            valid: boolean;
                        };
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
    getDashboard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Dashboard"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Dashboard"];
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        /** @description Steps that the deletion has not finished, and the action to take. Absent if it is complete. */
                        message?: string;
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
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": [
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
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Alert"][];
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
    createAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
            };
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Alert"];
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
    getAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Alert"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Alert"];
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        /** @description Steps that the deletion has not finished, and the action to take. Absent if it is complete. */
                        message?: string;
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
    previewAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
            };
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["AlertPreview"];
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": [
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
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["AlertEvaluation"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["DeliveryPage"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["AlertExplanation"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "silenced": true,
                     *         "silencedUntil": "2026-03-14T18:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Silence"];
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "silenced": true,
                     *         "silencedUntil": "2026-03-14T18:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Silence"];
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
    acknowledgeAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Acknowledgements"];
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Acknowledgements"];
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
    listMaintenanceWindows: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
            };
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": [
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
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["MaintenanceWindow"][];
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
    createMaintenanceWindow: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
            };
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["MaintenanceWindow"];
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
    getMaintenanceWindow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["MaintenanceWindow"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["MaintenanceWindow"];
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        /** @description Steps that the deletion has not finished, and the action to take. Absent if it is complete. */
                        message?: string;
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
    listSources: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
            };
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": [
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
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Source"][];
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
    listSavedSearches: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
            };
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": [
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
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["SavedSearch"][];
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
    createSavedSearch: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
            };
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["SavedSearch"];
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
    getSavedSearch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["SavedSearch"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
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
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["SavedSearch"];
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        /** @description Steps that the deletion has not finished, and the action to take. Absent if it is complete. */
                        message?: string;
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
    getCdcScaling: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "replicaCpuMillicores": 1000,
                     *         "replicaMemoryGb": 4
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["PipesCdcScaling"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    changeCdcScaling: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "replicaCpuMillicores": 1000,
                 *       "replicaMemoryGb": 4
                 *     }
                 */
                "application/json": components["schemas"]["PipesCdcScalingInput"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "replicaCpuMillicores": 1000,
                     *         "replicaMemoryGb": 4
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["PipesCdcScaling"];
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
            504: components["responses"]["timeout"];
        };
    };
    listPipes: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
                /** @description Whether to return the metrics of each pipe. */
                metrics?: "true" | "false";
            };
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": [
                     *         {
                     *           "id": "9b1c7e42-0f3d-4a86-8d5e-2c4f6a8b0d1e",
                     *           "serviceId": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
                     *           "name": "Orders",
                     *           "state": "Running",
                     *           "scaling": {
                     *             "replicas": 1,
                     *             "concurrency": 0,
                     *             "replicaCpuMillicores": 125,
                     *             "replicaMemoryGb": 0.5
                     *           },
                     *           "source": {
                     *             "kafka": {
                     *               "brokers": "broker-1.example.com:9092",
                     *               "topics": "orders",
                     *               "format": "JSONEachRow",
                     *               "authentication": "SCRAM-SHA-256"
                     *             }
                     *           },
                     *           "destination": {
                     *             "database": "default",
                     *             "table": "orders",
                     *             "managedTable": true,
                     *             "columns": [
                     *               {
                     *                 "name": "id",
                     *                 "type": "UInt64"
                     *               },
                     *               {
                     *                 "name": "amount",
                     *                 "type": "Decimal(18, 2)"
                     *               }
                     *             ]
                     *           },
                     *           "fieldMappings": [],
                     *           "settings": {
                     *             "streaming_max_insert_wait_ms": 1000
                     *           },
                     *           "createdAt": "2026-03-14T09:26:53.589Z",
                     *           "updatedAt": "2026-03-14T09:26:53.589Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["ListedPipe"][];
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
    createPipe: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Orders",
                 *       "source": {
                 *         "kafka": {
                 *           "brokers": "broker-1.example.com:9092",
                 *           "topics": "orders",
                 *           "format": "JSONEachRow",
                 *           "credentials": {
                 *             "username": "reader",
                 *             "password": "secret"
                 *           },
                 *           "authentication": "SCRAM-SHA-256"
                 *         }
                 *       },
                 *       "destination": {
                 *         "database": "default",
                 *         "table": "orders",
                 *         "managedTable": true,
                 *         "tableDefinition": {
                 *           "engine": {
                 *             "type": "MergeTree"
                 *           },
                 *           "sortingKey": [
                 *             "id"
                 *           ]
                 *         },
                 *         "columns": [
                 *           {
                 *             "name": "id",
                 *             "type": "UInt64"
                 *           },
                 *           {
                 *             "name": "amount",
                 *             "type": "Decimal(18, 2)"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PipeCreateBody"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "id": "9b1c7e42-0f3d-4a86-8d5e-2c4f6a8b0d1e",
                     *         "serviceId": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
                     *         "name": "Orders",
                     *         "state": "Running",
                     *         "scaling": {
                     *           "replicas": 1,
                     *           "concurrency": 0,
                     *           "replicaCpuMillicores": 125,
                     *           "replicaMemoryGb": 0.5
                     *         },
                     *         "source": {
                     *           "kafka": {
                     *             "brokers": "broker-1.example.com:9092",
                     *             "topics": "orders",
                     *             "format": "JSONEachRow",
                     *             "authentication": "SCRAM-SHA-256"
                     *           }
                     *         },
                     *         "destination": {
                     *           "database": "default",
                     *           "table": "orders",
                     *           "managedTable": true,
                     *           "columns": [
                     *             {
                     *               "name": "id",
                     *               "type": "UInt64"
                     *             },
                     *             {
                     *               "name": "amount",
                     *               "type": "Decimal(18, 2)"
                     *             }
                     *           ]
                     *         },
                     *         "fieldMappings": [],
                     *         "settings": {
                     *           "streaming_max_insert_wait_ms": 1000
                     *         },
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Pipe"];
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
            504: components["responses"]["timeout"];
        };
    };
    checkPipe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "kafka": {
                 *           "brokers": "broker-1.example.com:9092",
                 *           "topics": "orders",
                 *           "format": "JSONEachRow",
                 *           "credentials": {
                 *             "username": "reader",
                 *             "password": "secret"
                 *           },
                 *           "authentication": "SCRAM-SHA-256"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PipeCheckBody"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "ok": false,
                     *         "steps": [
                     *           {
                     *             "step": "connect",
                     *             "ok": false
                     *           }
                     *         ],
                     *         "issues": [
                     *           {
                     *             "path": "source.kafka.credentials",
                     *             "reason": "login_refused",
                     *             "message": "the broker rejected the credentials (SCRAM-SHA-256). Check the user name and password in credentials."
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["PipeCheck"];
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
            504: components["responses"]["timeout"];
        };
    };
    discoverPipe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "kafka": {
                 *           "brokers": "broker-1.example.com:9092",
                 *           "topics": "orders",
                 *           "format": "JSONEachRow",
                 *           "credentials": {
                 *             "username": "reader",
                 *             "password": "secret"
                 *           },
                 *           "authentication": "SCRAM-SHA-256"
                 *         }
                 *       },
                 *       "item": "orders"
                 *     }
                 */
                "application/json": components["schemas"]["PipeDiscoverBody"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "ok": true,
                     *         "issues": [],
                     *         "kind": "topics",
                     *         "items": [
                     *           {
                     *             "id": "orders",
                     *             "partitions": 3
                     *           }
                     *         ],
                     *         "hasMore": false,
                     *         "records": [
                     *           {
                     *             "position": "orders/0 81920",
                     *             "data": "{\"id\":7,\"amount\":\"9.90\"}",
                     *             "isCut": false
                     *           }
                     *         ],
                     *         "proposal": {
                     *           "source": {
                     *             "kafka": {
                     *               "topics": "orders"
                     *             }
                     *           },
                     *           "destination": {
                     *             "table": "orders",
                     *             "columns": [
                     *               {
                     *                 "name": "id",
                     *                 "type": "Int64"
                     *               },
                     *               {
                     *                 "name": "amount",
                     *                 "type": "Decimal(38, 2)"
                     *               }
                     *             ]
                     *           },
                     *           "fieldMappings": []
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["PipeDiscovery"];
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
            504: components["responses"]["timeout"];
        };
    };
    getPipe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
                pipeId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "id": "9b1c7e42-0f3d-4a86-8d5e-2c4f6a8b0d1e",
                     *         "serviceId": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
                     *         "name": "Orders",
                     *         "state": "Running",
                     *         "scaling": {
                     *           "replicas": 1,
                     *           "concurrency": 0,
                     *           "replicaCpuMillicores": 125,
                     *           "replicaMemoryGb": 0.5
                     *         },
                     *         "source": {
                     *           "kafka": {
                     *             "brokers": "broker-1.example.com:9092",
                     *             "topics": "orders",
                     *             "format": "JSONEachRow",
                     *             "authentication": "SCRAM-SHA-256"
                     *           }
                     *         },
                     *         "destination": {
                     *           "database": "default",
                     *           "table": "orders",
                     *           "managedTable": true,
                     *           "columns": [
                     *             {
                     *               "name": "id",
                     *               "type": "UInt64"
                     *             },
                     *             {
                     *               "name": "amount",
                     *               "type": "Decimal(18, 2)"
                     *             }
                     *           ]
                     *         },
                     *         "fieldMappings": [],
                     *         "settings": {
                     *           "streaming_max_insert_wait_ms": 1000
                     *         },
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Pipe"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deletePipe: {
        parameters: {
            query?: {
                /** @description If true, the server deletes the pipe immediately and leaves the objects that it created at the source (default false). */
                force?: "true" | "false";
            };
            header?: {
                /**
                 * @description ETag of the version to change. If it is not current, the response is 412.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
                pipeId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        /** @description Steps that the deletion has not finished, and the action to take. Absent if it is complete. */
                        message?: string;
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
            504: components["responses"]["timeout"];
        };
    };
    updatePipe: {
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
                pipeId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "settings": {
                 *         "streaming_max_insert_wait_ms": 1000
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PipeUpdateBody"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "id": "9b1c7e42-0f3d-4a86-8d5e-2c4f6a8b0d1e",
                     *         "serviceId": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
                     *         "name": "Orders",
                     *         "state": "Running",
                     *         "scaling": {
                     *           "replicas": 1,
                     *           "concurrency": 0,
                     *           "replicaCpuMillicores": 125,
                     *           "replicaMemoryGb": 0.5
                     *         },
                     *         "source": {
                     *           "kafka": {
                     *             "brokers": "broker-1.example.com:9092",
                     *             "topics": "orders",
                     *             "format": "JSONEachRow",
                     *             "authentication": "SCRAM-SHA-256"
                     *           }
                     *         },
                     *         "destination": {
                     *           "database": "default",
                     *           "table": "orders",
                     *           "managedTable": true,
                     *           "columns": [
                     *             {
                     *               "name": "id",
                     *               "type": "UInt64"
                     *             },
                     *             {
                     *               "name": "amount",
                     *               "type": "Decimal(18, 2)"
                     *             }
                     *           ]
                     *         },
                     *         "fieldMappings": [],
                     *         "settings": {
                     *           "streaming_max_insert_wait_ms": 1000
                     *         },
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Pipe"];
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
            504: components["responses"]["timeout"];
        };
    };
    changePipeState: {
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
                pipeId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "command": "stop"
                 *     }
                 */
                "application/json": components["schemas"]["PipeStateBody"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "id": "9b1c7e42-0f3d-4a86-8d5e-2c4f6a8b0d1e",
                     *         "serviceId": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
                     *         "name": "Orders",
                     *         "state": "Running",
                     *         "scaling": {
                     *           "replicas": 1,
                     *           "concurrency": 0,
                     *           "replicaCpuMillicores": 125,
                     *           "replicaMemoryGb": 0.5
                     *         },
                     *         "source": {
                     *           "kafka": {
                     *             "brokers": "broker-1.example.com:9092",
                     *             "topics": "orders",
                     *             "format": "JSONEachRow",
                     *             "authentication": "SCRAM-SHA-256"
                     *           }
                     *         },
                     *         "destination": {
                     *           "database": "default",
                     *           "table": "orders",
                     *           "managedTable": true,
                     *           "columns": [
                     *             {
                     *               "name": "id",
                     *               "type": "UInt64"
                     *             },
                     *             {
                     *               "name": "amount",
                     *               "type": "Decimal(18, 2)"
                     *             }
                     *           ]
                     *         },
                     *         "fieldMappings": [],
                     *         "settings": {
                     *           "streaming_max_insert_wait_ms": 1000
                     *         },
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Pipe"];
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
            504: components["responses"]["timeout"];
        };
    };
    changePipeScaling: {
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
                pipeId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "replicas": 2
                 *     }
                 */
                "application/json": components["schemas"]["PipeScalingInput"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "id": "9b1c7e42-0f3d-4a86-8d5e-2c4f6a8b0d1e",
                     *         "serviceId": "3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b",
                     *         "name": "Orders",
                     *         "state": "Running",
                     *         "scaling": {
                     *           "replicas": 1,
                     *           "concurrency": 0,
                     *           "replicaCpuMillicores": 125,
                     *           "replicaMemoryGb": 0.5
                     *         },
                     *         "source": {
                     *           "kafka": {
                     *             "brokers": "broker-1.example.com:9092",
                     *             "topics": "orders",
                     *             "format": "JSONEachRow",
                     *             "authentication": "SCRAM-SHA-256"
                     *           }
                     *         },
                     *         "destination": {
                     *           "database": "default",
                     *           "table": "orders",
                     *           "managedTable": true,
                     *           "columns": [
                     *             {
                     *               "name": "id",
                     *               "type": "UInt64"
                     *             },
                     *             {
                     *               "name": "amount",
                     *               "type": "Decimal(18, 2)"
                     *             }
                     *           ]
                     *         },
                     *         "fieldMappings": [],
                     *         "settings": {
                     *           "streaming_max_insert_wait_ms": 1000
                     *         },
                     *         "createdAt": "2026-03-14T09:26:53.589Z",
                     *         "updatedAt": "2026-03-14T09:26:53.589Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["Pipe"];
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
            504: components["responses"]["timeout"];
        };
    };
    getPipeSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
                pipeId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "streaming_max_insert_wait_ms": 5000,
                     *         "object_storage_concurrency": 1,
                     *         "object_storage_polling_interval_ms": 30000,
                     *         "object_storage_max_insert_bytes": 10737418240,
                     *         "object_storage_max_file_count": 100,
                     *         "engine_max_threads": 0,
                     *         "engine_max_insert_threads": 1,
                     *         "engine_min_insert_block_size_bytes": 1073741824,
                     *         "engine_max_download_threads": 4,
                     *         "engine_parallel_distributed_insert_select": 2,
                     *         "object_storage_use_cluster_function": true,
                     *         "engine_parallel_view_processing": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["PipeSettings"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    changePipeSettings: {
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
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
                pipeId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "object_storage_max_file_count": 500,
                 *       "engine_max_threads": null
                 *     }
                 */
                "application/json": components["schemas"]["PipeSettingsInput"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "streaming_max_insert_wait_ms": 5000,
                     *         "object_storage_concurrency": 1,
                     *         "object_storage_polling_interval_ms": 30000,
                     *         "object_storage_max_insert_bytes": 10737418240,
                     *         "object_storage_max_file_count": 100,
                     *         "engine_max_threads": 0,
                     *         "engine_max_insert_threads": 1,
                     *         "engine_min_insert_block_size_bytes": 1073741824,
                     *         "engine_max_download_threads": 4,
                     *         "engine_parallel_distributed_insert_select": 2,
                     *         "object_storage_use_cluster_function": true,
                     *         "engine_parallel_view_processing": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["PipeSettings"];
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
            504: components["responses"]["timeout"];
        };
    };
    getPipeMetrics: {
        parameters: {
            query?: {
                /** @description Return the series from this time, which is at most 24 hours before `to`. */
                from?: string;
                /** @description Return the series before this time. Default: now. */
                to?: string;
            };
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
                pipeId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "rows": 1204512,
                     *         "bytes": 184290336,
                     *         "errors": 2,
                     *         "batches": 241,
                     *         "lag": 0,
                     *         "oldestUnprocessedAt": null,
                     *         "lastError": {
                     *           "message": "amount: not a Decimal(18, 2)",
                     *           "at": "2026-03-14T09:26:53.589Z"
                     *         },
                     *         "checkpoint": [
                     *           {
                     *             "partition": "orders/0",
                     *             "position": "1204513",
                     *             "storedAt": "2026-03-14T09:30:05.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["PipeMetrics"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    listPipeErrors: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return (1–1000, default 1000). */
                limit?: number;
                /** @description Number of items to skip (default 0). */
                offset?: number;
            };
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
                pipeId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": [
                     *         {
                     *           "at": "2026-03-14T09:26:53.589Z",
                     *           "partition": "orders/0",
                     *           "position": "81920",
                     *           "reason": "amount: not a Decimal(18, 2)",
                     *           "raw": "{\"id\":7,\"amount\":\"much\"}",
                     *           "replayable": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["PipeError"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
            504: components["responses"]["timeout"];
        };
    };
    getPipeReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
                pipeId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "state": "Completed",
                     *         "requestedAt": "2026-03-14T09:40:00.000Z",
                     *         "endedAt": "2026-03-14T09:40:02.215Z",
                     *         "replayed": 41,
                     *         "refused": 1,
                     *         "message": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["PipeReplay"];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    replayPipeErrors: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key and body within 24 hours returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                organizationId: components["schemas"]["Uuid"];
                serviceId: components["schemas"]["Uuid"];
                pipeId: components["schemas"]["Uuid"];
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
                     *       "status": 200,
                     *       "requestId": "b1f7e6d5-4c3b-4a29-9807-16253443526a",
                     *       "result": {
                     *         "state": "Completed",
                     *         "requestedAt": "2026-03-14T09:40:00.000Z",
                     *         "endedAt": "2026-03-14T09:40:02.215Z",
                     *         "replayed": 41,
                     *         "refused": 1,
                     *         "message": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: 200;
                        /**
                         * Format: uuid
                         * @description Id of the request, the same as in the `X-Request-Id` header.
                         */
                        requestId: string;
                        result: components["schemas"]["PipeReplay"];
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
            504: components["responses"]["timeout"];
        };
    };
}
