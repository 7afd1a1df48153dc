package access

import "github.com/waft-ota/waft/models"

// prefixAttempts is the number of prefixes that WithFreePrefix tries.
const prefixAttempts = 5

// WithFreePrefix creates a key with a random token. There are 2^32 prefixes: the probability that two of ten thousand
// keys have the same one is 1%. If the prefix is taken, WithFreePrefix calls create again with another token.
func WithFreePrefix(create func(models.APIKeyToken) (models.APIKey, error)) (k models.APIKey, t models.APIKeyToken, err error) {
	for range prefixAttempts {
		t = models.NewAPIKeyToken()
		if k, err = create(t); models.CodeOf(err) != models.CodeAlreadyExists {
			break
		}
	}
	return k, t, err
}
