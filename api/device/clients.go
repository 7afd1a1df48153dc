package device

import (
	"errors"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// errNoClientKey is errUnauthenticated for OFREP, which takes no sessions.
var errNoClientKey = models.Errorf(models.CodeUnauthenticated,
	"a valid API key is required in the header Authorization: Bearer waft_…, or X-API-Key: waft_…")

// AuthorizeClient is the middleware of OFREP: the key, of any role, names the project. A key that was valid
// lately works while Postgres is away.
func (h *Handlers) AuthorizeClient(c *gin.Context) {
	if err := h.admitClient(c); err != nil {
		failOFREP(c, err)
	}
}

func (h *Handlers) admitClient(c *gin.Context) error {
	header := c.GetHeader("Authorization")
	if sent := c.GetHeader("X-API-Key"); header == "" && sent != "" {
		header = "Bearer " + sent
	}
	ctx := c.Request.Context()
	who := &rest.CallOf(ctx).Caller
	key, err := h.Gate.IdentifyRecent(ctx, rest.SenderOf(c), header, who)
	if errors.Is(err, access.ErrUnauthenticated) {
		return errNoClientKey
	}
	if err != nil {
		return err
	}
	if who.Role != models.RoleClient && rest.FromAnotherOrigin(c.Request) {
		return models.Errorf(models.CodeForbidden, "a web page may only use a key of the role client")
	}
	var s *delivery.Snapshot
	if who.Root {
		s, err = h.Snapshots.Project(c.GetHeader("X-Project"))
	} else {
		s, err = h.Snapshots.ProjectByID(key.ProjectID)
	}
	if models.CodeOf(err) == models.CodeNotFound {
		err = models.Errorf(models.CodeForbidden, "the key does not name a project; with the root key X-Project does")
	}
	if err != nil {
		return err
	}
	who.Project = s.Project()
	return nil
}

// limitOFREP applies the rate limits.
func (h *Handlers) limitOFREP(c *gin.Context) {
	if err := h.Limits.Requests.Check(c); err != nil {
		failOFREP(c, err)
	}
}
