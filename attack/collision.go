package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"net/http"
)

// colliding are two contents with the same MD5, published by Wang, Feng, Lai and Yu in 2004. They differ in six bytes.
var colliding = [2]string{
	"d131dd02c5e6eec4693d9a0698aff95c2fcab58712467eab4004583eb8fb7f8955ad340609f4b30283e488832571415a085125e8f7cdc99fd91dbdf280373c5b" +
		"d8823e3156348f5bae6dacd436c919c6dd53e2b487da03fd02396306d248cda0e99f33420f577ee8ce54b67080a80d1ec69821bcb6a8839396f9652b6ff72a70",
	"d131dd02c5e6eec4693d9a0698aff95c2fcab50712467eab4004583eb8fb7f8955ad340609f4b30283e4888325f1415a085125e8f7cdc99fd91dbd7280373c5b" +
		"d8823e3156348f5bae6dacd436c919c6dd53e23487da03fd02396306d248cda0e99f33420f577ee8ce54b67080280d1ec69821bcb6a8839396f965ab6ff72a70",
}

// collidingFiles returns both contents, and their MD5 in hex.
func collidingFiles() (files [2][]byte, sum string) {
	for i, text := range colliding {
		content, err := hex.DecodeString(text)
		if err != nil {
			panic(err)
		}
		files[i] = content
	}
	both := md5.Sum(files[0])
	return files, hex.EncodeToString(both[:])
}

// collidingAssets uploads the colliding files to two tenants. Each tenant must get the bytes that it uploaded.
func collidingAssets(ctx context.Context, t *target) (string, error) {
	files, _ := collidingFiles()
	var urls [2]string
	for i, content := range files {
		p, err := t.project(ctx)
		if err != nil {
			return "", err
		}
		r, err := p.publish(ctx, content, nil)
		if err != nil {
			return "", err
		}
		if err := p.awaitServed(ctx, r); err != nil {
			return "", err
		}
		manifest, err := p.manifest(ctx, "", "")
		if err != nil {
			return "", err
		}
		urls[i] = assetURL(manifest.body)
	}
	for i, content := range files {
		a, err := t.send(ctx, request{path: urls[i]})
		if err != nil || a.status != http.StatusOK {
			return "", fmt.Errorf("the asset of tenant %d gets %d: %w", i+1, a.status, err)
		}
		if !bytes.Equal(a.body, content) {
			return "", broken(fmt.Sprintf("tenant %d gets bytes that it did not upload", i+1))
		}
	}
	return "each gets the bytes that it uploaded", nil
}

// assetsWithoutProject requests a tenant's asset by its MD5 alone, for which other tenants may have uploaded other
// bytes.
func assetsWithoutProject(ctx context.Context, t *target) (string, error) {
	p, err := t.project(ctx)
	if err != nil {
		return "", err
	}
	content := []byte("an asset of " + p.slug)
	if _, err := p.publish(ctx, content, nil); err != nil {
		return "", err
	}
	sum := md5.Sum(content)
	path := "/v1/ota/assets/" + hex.EncodeToString(sum[:])
	with, err := t.send(ctx, request{path: path + "?project=" + p.slug})
	if err != nil || with.status != http.StatusOK {
		return "", fmt.Errorf("with its project the asset gets %d: %w", with.status, err)
	}
	without, err := t.send(ctx, request{path: path})
	if err != nil {
		return "", err
	}
	if without.status != http.StatusBadRequest {
		return "", broken(fmt.Sprintf("an MD5 alone gets %d", without.status))
	}
	return "an MD5 alone gets 400", nil
}
