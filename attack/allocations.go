package main

import (
	"context"
	"fmt"
)

// crash and launch are types of events that devices report.
const (
	crash  = "crash"
	launch = "app_launch"
)

// always returns a function that returns the same event for every device.
func always(event string) func(int) string { return func(int) string { return event } }

// homes returns the address of client i. Each client has its own network and its own allocation; i must be below 256.
func homes(i int) string { return fmt.Sprintf("100.%d.0.7", i) }

const honestHomes = 30

// rentedNetworks lets ten /48s of one rented /44 crash once each. Thirty homes report healthy launches.
func rentedNetworks(ctx context.Context, o *own) (string, error) {
	const networks = 10
	b, err := o.beginRollout(ctx, networks+honestHomes)
	if err != nil {
		return "", err
	}
	rented := func(i int) string { return fmt.Sprintf("2001:db8:a0%x::1", i) }
	if err := b.visit(ctx, networks, rented, always(crash)); err != nil {
		return "", err
	}
	if err := b.visit(ctx, honestHomes, homes, always(launch)); err != nil {
		return "", err
	}
	return b.holds(ctx, networks+honestHomes, networks, "threshold")
}

// rentedAllocation rents a whole /32. Its networks crash in one rollout, first as the only networks and then together
// with thirty healthy homes, and are healthy in another rollout.
func rentedAllocation(ctx context.Context, o *own) (string, error) {
	const networks = 60
	allocation := func(i int) string { return fmt.Sprintf("2001:db9:%x::1", i) }
	bad, err := o.beginRollout(ctx, networks)
	if err != nil {
		return "", err
	}
	if err := bad.visit(ctx, networks, allocation, always(crash)); err != nil {
		return "", err
	}
	if _, err := bad.holds(ctx, networks, networks, "networks"); err != nil {
		return "", err
	}
	if err := bad.visit(ctx, honestHomes, homes, always(launch)); err != nil {
		return "", err
	}
	beside, err := bad.holds(ctx, networks+honestHomes, networks, "threshold")
	if err != nil {
		return "", err
	}
	good, err := o.beginRollout(ctx, networks)
	if err != nil {
		return "", err
	}
	if err := good.visit(ctx, networks, allocation, always(launch)); err != nil {
		return "", err
	}
	alone, err := good.holds(ctx, networks, 0, "networks")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("crashing, %s; healthy, %s", beside, alone), nil
}

// tunnelledNetwork lets the addresses of one IPv4 /24 crash through 6to4 and Teredo. Thirty homes report healthy
// launches.
func tunnelledNetwork(ctx context.Context, o *own) (string, error) {
	const addresses = 20
	b, err := o.beginRollout(ctx, addresses+honestHomes)
	if err != nil {
		return "", err
	}
	tunnels := func(i int) string {
		if i%2 == 0 {
			return fmt.Sprintf("2002:cb00:71%02x::1", i) // 6to4 address of 203.0.113.i
		}
		return fmt.Sprintf("2001:0:1::34ff:8e%02x", 0xff-i) // Teredo address of 203.0.113.i
	}
	if err := b.visit(ctx, addresses, tunnels, always(crash)); err != nil {
		return "", err
	}
	if err := b.visit(ctx, honestHomes, homes, always(launch)); err != nil {
		return "", err
	}
	e, err := b.await(ctx, func(e execution) bool {
		return e.Status != "running" || e.Health.CrashedDevices == addresses && e.Health.Devices > addresses
	})
	if err != nil {
		return "", err
	}
	if votes := e.Health.Votes; votes.Crashed > 1 || e.Status == "rolled_back" {
		return "", broken(fmt.Sprintf("%d addresses of one /24 have %v votes, and the release is %s", addresses, votes.Crashed, e.Status))
	}
	return fmt.Sprintf("%d addresses have %v vote among %d homes; the release stays", addresses, e.Health.Votes.Crashed, honestHomes), nil
}

// holds waits until the rollout has evaluated the given number of devices and crashed devices and is held for
// waitingFor. It returns a broken if the rollout ends first.
func (b *battle) holds(ctx context.Context, devices, crashed int, waitingFor string) (string, error) {
	e, err := b.await(ctx, func(e execution) bool {
		return e.Status != "running" || e.Health.Devices == devices && e.Health.CrashedDevices == crashed && e.WaitingFor == waitingFor
	})
	if err != nil {
		return "", err
	}
	if e.Status != "running" {
		return "", broken(fmt.Sprintf("%d devices (%d of them crashed) caused the release to be %s: %s", devices, crashed, e.Status, e.Reason))
	}
	votes := e.Health.Votes
	return fmt.Sprintf("networks %v, allocations %v, votes %v: the rollout is held (waitingFor %s)",
		votes.Networks, votes.Allocations, votes.Weight, waitingFor), nil
}
