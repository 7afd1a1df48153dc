package access

import "github.com/waft-ota/waft/models"

// prefixAttempts is how many prefixes withFreePrefix tries.
const prefixAttempts = 5

// WithFreePrefix creates a key with a random token. There are 2^32 prefixes: of ten thousand keys two have the same one
// with a probability of 1 %. When the prefix is taken, withFreePrefix calls create again with another token.
func WithFreePrefix(create func(models.APIKeyToken) (models.APIKey, error)) (k models.APIKey, t models.APIKeyToken, err error) {
	for range prefixAttempts {
		t = models.NewAPIKeyToken()
		if k, err = create(t); models.CodeOf(err) != models.CodeAlreadyExists {
			break
		}
	}
	return k, t, err
}
