# Waft with its engines in one container, for evaluation and small teams: docs/operations/docker.md says what it promises. deploy/image.sh makes
# the context, with a Debian root, because the ClickHouse library needs glibc.
FROM scratch
ADD debian.tar /
# initdb asks for the name of its user.
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /var/lib/waft --shell /usr/sbin/nologin waft
COPY rootfs/ /
COPY --chown=10001:10001 data/ /var/lib/waft/
USER 10001:10001
ENV PATH=/opt/waft/bin:/usr/local/bin:/usr/bin:/bin \
    WAFT_DEVSTACK_DIR=/var/lib/waft
VOLUME /var/lib/waft
EXPOSE 8080
# The first start creates three databases. devstack knows the port, which WAFT_PORT may set.
HEALTHCHECK --interval=5s --timeout=10s --start-period=120s --retries=12 CMD ["devstack", "run", "--", "waftd", "healthcheck"]
ENTRYPOINT ["devstack"]
CMD ["serve", "--waftd", "/usr/local/bin/waftd"]
