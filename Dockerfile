# Three stages: install, build, run. The runtime image has production packages and the compiled program only.
FROM node:22-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json ./web/
RUN npm ci --omit=dev --no-progress

FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json ./web/
RUN npm ci --no-progress
COPY . .
RUN npm run build

FROM node:22-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production SIGHTLINE_HOST=0.0.0.0 SIGHTLINE_DATA_DIR=/data
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY bin ./bin
RUN useradd --system --uid 10001 --create-home sightline && mkdir -m 700 /data && chown sightline /data
USER sightline
VOLUME /data
# Web interface, REST API, OTLP/HTTP, OTLP/gRPC. Publish the ports explicitly (-p 8080:8080).
EXPOSE 8080 8000 4318 4317
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:8000/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/sightline.cjs"]
CMD ["serve"]
