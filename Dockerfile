# The base, by tag. To pin it by digest as well: `docker buildx imagetools inspect node:24.21.0-bookworm-slim` shows it;
# build with `--build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:…`. The tag is the Node of .nvmrc.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

# The console is built with the tools of development, and nothing of them goes further than this stage.
FROM ${NODE_IMAGE} AS console
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY console ./console
COPY clients/typescript/src ./clients/typescript/src
# The files of the server that the browser uses too.
COPY src/lib/text/mark-words.ts src/lib/text/split-at-number.ts ./src/lib/text/
COPY src/accounts/audit/acts.ts ./src/accounts/audit/
COPY src/lib/design ./src/lib/design
COPY src/entry/site/docs/search-options.ts ./src/entry/site/docs/
RUN npm run build

# What the service needs at run time, exactly as locked. No package of these has an install script.
FROM ${NODE_IMAGE} AS packages
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
RUN mkdir pages

FROM ${NODE_IMAGE} AS runtime
ARG VERSION=1.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Nameplate" \
  org.opencontainers.image.description="Which UK registered company is behind this web domain? With proof." \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.documentation="docs/deploying.md" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.base.name="docker.io/library/node:24.21.0-bookworm-slim"

WORKDIR /app
COPY --from=packages /build/node_modules ./node_modules
COPY --from=console /build/dist ./dist
COPY package.json ./
COPY LICENSE ./
COPY NOTICE ./
COPY docs ./docs
COPY migrations ./migrations
COPY packages ./packages
COPY src ./src
# A volume for kept pages (PAGE_ARCHIVE=folder) that is mounted here belongs to the user below from the start.
COPY --from=packages --chown=1000:1000 /build/pages /var/lib/nameplate/pages

# Settings that belong to the image; all others come from the environment, as .env.example names them. No secret is here.
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=8080 \
  OPERATIONS_PORT=8081
EXPOSE 8080 8081

# The user `node` of the base, by number, so that Kubernetes can see that it is not root. Nothing of /app is written:
# the root file system may be read-only. A snapshot that is loaded from an address needs room in /tmp.
USER 1000:1000

# The first SIGTERM lets requests and jobs under way finish; SHUTDOWN_GRACE_SECONDS bounds it. Node is process 1: it
# handles the signal itself and starts no other process, so there is nobody to reap and no init is needed.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPERATIONS_PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "src/main.ts"]
CMD ["serve"]
