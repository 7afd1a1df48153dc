# The server (waftd) and the command line (waft) in one small image.
#
#   docker build -t waft .
#   docker build -t waft:0.1.0 --build-arg VERSION=0.1.0 .    # says that it is this release
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
    go build -trimpath -tags=clouds -ldflags="-s -w -X github.com/waft-ota/waft/internal/base/version.released=$VERSION" -o /out/ ./cmd/waftd ./cmd/waft

FROM alpine:3.24.1@sha256:28bd5fe8b56d1bd048e5babf5b10710ebe0bae67db86916198a6eec434943f8b
RUN apk add --no-cache ca-certificates tzdata \
    && addgroup -S -g 10001 waft \
    && adduser -S -D -H -u 10001 -G waft waft \
    && install -d -o waft -g waft -m 0750 /var/lib/waft
COPY --from=build /out/ /usr/local/bin/

# By number, so that an orchestrator can see that it is not root.
USER 10001:10001
ENV WAFT_LISTEN_ADDR=0.0.0.0:8080 \
    WAFT_DATA_DIR=/var/lib/waft
VOLUME /var/lib/waft
EXPOSE 8080
ENTRYPOINT ["waftd"]
CMD ["serve"]
