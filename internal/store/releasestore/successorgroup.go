package releasestore

import (
	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// groupOfSuccessor returns the group of a new successor of bad. The releases of one publish may roll out and be rolled back
// one platform at a time. So the successor joins the group of the newest successor of another platform of bad's group. If
// no such successor exists, or its group already has a release for bad's platform, the group is new.
func groupOfSuccessor(c *unit.Change, bad models.Release) (group uuid.UUID, err error) {
	var groups []uuid.UUID
	err = c.Tx.Raw(`SELECT successor.group_id FROM releases AS partner
		JOIN releases AS successor ON successor.rolled_back_update_ids @> jsonb_build_array(partner.id)
			AND successor.project_id = partner.project_id AND successor.branch_id = partner.branch_id
			AND successor.share_salt = @salt AND successor.deleted_at IS NULL
		WHERE partner.group_id = @group AND partner.branch_id = @branch AND partner.project_id = @project
			AND partner.platform <> @platform AND partner.deleted_at IS NULL
			AND NOT EXISTS (SELECT FROM releases AS member WHERE member.group_id = successor.group_id
				AND member.platform = @platform AND member.branch_id = @branch AND member.deleted_at IS NULL)
		ORDER BY successor.id DESC LIMIT 1`, map[string]any{
		"salt": bad.ShareSalt, "group": bad.GroupID, "branch": bad.BranchID, "project": bad.ProjectID, "platform": bad.Platform,
	}).Scan(&groups).Error
	if err != nil || len(groups) == 0 {
		return uuid.New(), err
	}
	return groups[0], nil
}
