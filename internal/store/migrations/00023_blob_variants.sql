-- +goose Up

-- How large the compressed variants of a content are in the asset store, NULL where
-- it has none. They come and go with the content.
ALTER TABLE blobs
    ADD COLUMN gzip_bytes bigint,
    ADD COLUMN brotli_bytes bigint,
    ADD CONSTRAINT blobs_gzip_check CHECK (gzip_bytes > 0 AND gzip_bytes < size_bytes),
    ADD CONSTRAINT blobs_brotli_check CHECK (brotli_bytes > 0 AND brotli_bytes < size_bytes);
