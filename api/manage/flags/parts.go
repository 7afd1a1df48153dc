package flags

import (
	"context"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// errNoFlagPart is for a rule, a variation or an environment that the flag does not have.
var errNoFlagPart = models.Errorf(models.CodeNotFound, "the flag has no such part")

// currentPart reads a part of the flag in the path.
func (h *Handlers) currentPart(
	ctx context.Context, c *gin.Context, part func(f models.Flag) (rest.Versioned, error),
) (rest.Versioned, error) {
	id, err := rest.PathID(c, "id")
	if err != nil {
		return nil, err
	}
	f, err := h.Flags.Flag(ctx, rest.ProjectOf(ctx), id)
	if err != nil {
		return nil, err
	}
	return part(f)
}

func (h *Handlers) currentRule(ctx context.Context, c *gin.Context) (rest.Versioned, error) {
	return h.currentPart(ctx, c, func(f models.Flag) (rest.Versioned, error) {
		id, _ := rest.PathID(c, "ruleId")
		if i := slices.IndexFunc(f.Rules, func(r models.FlagRule) bool { return r.ID == id }); i >= 0 {
			return ruleRecord(f.Rules[i]), nil
		}
		return nil, errNoFlagPart
	})
}

func (h *Handlers) currentVariation(ctx context.Context, c *gin.Context) (rest.Versioned, error) {
	return h.currentPart(ctx, c, func(f models.Flag) (rest.Versioned, error) {
		id, _ := rest.PathID(c, "variationId")
		if v, ok := f.VariationByID(id); ok {
			return variationRecord(v), nil
		}
		return nil, errNoFlagPart
	})
}

func (h *Handlers) currentEnvironment(ctx context.Context, c *gin.Context) (rest.Versioned, error) {
	return h.currentPart(ctx, c, func(f models.Flag) (rest.Versioned, error) {
		name := c.Param("channelName")
		if i := slices.IndexFunc(f.Environments, func(e models.FlagEnvironment) bool { return e.ChannelName == name }); i >= 0 {
			return environmentRecord(f, f.Environments[i]), nil
		}
		return nil, errNoFlagPart
	})
}
