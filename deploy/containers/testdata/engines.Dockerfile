# The engines of docker-compose.yml for tests: devstack's, and the same server for objects, with folders that their user may write to.
FROM waft-all-in-one:local
USER root
COPY versitygw /usr/local/bin/versitygw
RUN install -d -o waft -g waft /var/lib/postgresql /var/lib/clickhouse /var/lib/temporal /data
USER 10001:10001
HEALTHCHECK NONE
