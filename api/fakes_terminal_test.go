package api

import (
	"context"
	"time"

	"github.com/waft-ota/waft/models"
)

func (*fakePeople) BeginTerminalLogin(_ context.Context, n models.NewTerminalLogin) (models.TerminalLogin, error) {
	return n.Login(time.Now()), nil
}

func (*fakePeople) PollTerminalLogin(context.Context, models.SecretToken) (models.TerminalLogin, models.User, error) {
	return models.TerminalLogin{Status: models.TerminalPending}, models.User{}, nil
}

func (*fakePeople) TerminalLogin(_ context.Context, code models.TerminalCode) (models.TerminalLogin, error) {
	return models.TerminalLogin{Code: code, Status: models.TerminalPending}, nil
}

func (*fakePeople) ConfirmTerminalLogin(context.Context, models.Actor, models.User, int64, models.TerminalCode) error {
	return nil
}

func (*fakePeople) RefuseTerminalLogin(context.Context, models.TerminalCode) error { return nil }
