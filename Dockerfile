# The server (waftd) and the command line (waft) in an image that holds nothing else.
#
#   docker build -t waft .
#   docker build -t waft:0.1.0 --build-arg VERSION=0.1.0 .    # says that it is this release
#   make image                                               # from this machine's Go, without a registry: deploy/image.sh

# What both images below are. /tmp and the data folder come with the binaries.
FROM scratch AS base
# By number, so that an orchestrator can see that it is not root.
USER 10001:10001
ENV PATH=/usr/local/bin \
    WAFT_LISTEN_ADDR=0.0.0.0:8080 \
    WAFT_DATA_DIR=/var/lib/waft
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=10s --start-period=30s --retries=12 CMD ["waftd", "healthcheck"]
ENTRYPOINT ["waftd"]
CMD ["serve"]

# From binaries that are compiled already: the context is the folder that deploy/image.sh makes. It comes before the stages that need
# a registry, because a builder that is not BuildKit runs every stage above its target.
FROM base AS compiled
COPY rootfs/ /
COPY --chown=10001:10001 data/ /var/lib/waft/
VOLUME /var/lib/waft

FROM --platform=$BUILDPLATFORM alpine:3.24.1@sha256:28bd5fe8b56d1bd048e5babf5b10710ebe0bae67db86916198a6eec434943f8b AS dashboard
RUN apk add --no-cache nodejs npm
WORKDIR /dashboard
COPY dashboard/package.json dashboard/package-lock.json dashboard/.npmrc ./
RUN --mount=type=cache,target=/cache npm ci --ignore-scripts --cache /cache
COPY dashboard .
RUN npx vite build

FROM --platform=$BUILDPLATFORM golang:1.26.8-alpine3.24@sha256:8ac98ca534ac3f51e1f420a1dd2c15e74c75cfa0f23f3ad27eb5d7236c349a0c AS build
ENV CGO_ENABLED=0 GOMODCACHE=/cache/modules GOCACHE=/cache/build
WORKDIR /src

# Modules first: a change of the code does not download them again.
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/cache go mod download

COPY . .
# Nothing of a build on the machine itself.
RUN rm -rf dashboard/dist
COPY --from=dashboard /dashboard/dist dashboard/dist
ARG TARGETOS
ARG TARGETARCH
ARG VERSION=""
RUN --mount=type=cache,target=/cache \
    GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -tags=clouds -ldflags="-s -w -X github.com/waft-ota/waft/internal/base/version.released=$VERSION" -o /out/rootfs/usr/local/bin/ ./cmd/waftd ./cmd/waft \
    && install -d /out/rootfs/var/lib && install -d -m 1777 /out/rootfs/tmp && install -d -m 0750 /out/data

FROM base
COPY --from=build /out/rootfs/ /
COPY --from=build --chown=10001:10001 /out/data/ /var/lib/waft/
VOLUME /var/lib/waft
